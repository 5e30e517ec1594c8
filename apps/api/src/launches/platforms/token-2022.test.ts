import { expect, test } from '@jest/globals';
import { Keypair, PublicKey, TransactionMessage } from '@solana/web3.js';
import { token2022 } from './token-2022.ts';

const _key = (byte: number) => Keypair.fromSeed(new Uint8Array(32).fill(byte)).publicKey;

test('a launch fits one packet with the longest texts', async () => {
  const terms = {
    payer: _key(1),
    mint: _key(2),
    wallet: _key(3),
    name: 'a'.repeat(32),
    symbol: '8LETTERS',
    uri: `https://${'u'.repeat(192)}`,
  };
  const instructions = await token2022({ decimals: 9, supply: 2n ** 64n - 1n }).instructions(terms, async () => 1);
  const recentBlockhash = PublicKey.default.toBase58();
  const message = new TransactionMessage({ payerKey: terms.payer, recentBlockhash, instructions });
  // 129 bytes: two signatures and their count.
  expect(message.compileToLegacyMessage().serialize().length + 129).toBeLessThanOrEqual(1_232);
});
