import { createRequire } from 'node:module';
import { describe, expect, test } from '@jest/globals';
import { Keypair, PublicKey, type TransactionInstruction, TransactionMessage } from '@solana/web3.js';
import type { LaunchTerms } from './launch-platform.ts';
import { createV2, pumpfun } from './pumpfun.ts';

/** pump.fun's own library. Its code is CommonJS, although its package says otherwise. */
const { PUMP_SDK } = createRequire(__filename)('@pump-fun/pump-sdk') as {
  PUMP_SDK: { createV2Instruction(input: Record<string, unknown>): Promise<TransactionInstruction> };
};

const _key = (byte: number) => Keypair.fromSeed(new Uint8Array(32).fill(byte)).publicKey;

function _terms(changes: Partial<LaunchTerms> = {}): LaunchTerms {
  return {
    payer: _key(1),
    mint: _key(2),
    wallet: _key(3),
    name: 'Ada Token',
    symbol: 'ADA',
    uri: 'https://amber.example/amber/token/x/metadata.json',
    ...changes,
  };
}

describe('create_v2 of pump.fun', () => {
  test.each([
    ['plain', {}],
    ['the longest texts', { name: 'a'.repeat(32), symbol: '8LETTERS', uri: `https://${'u'.repeat(192)}` }],
    ['other scripts', { name: '琥珀 Ада 👩‍🚀', symbol: '0' }],
    ['another mint and wallet', { mint: _key(4), wallet: _key(5), payer: _key(6) }],
  ])('%s is byte for byte what pump.fun’s own library builds', async (_, changes) => {
    const terms = _terms(changes);
    const { mint, wallet: creator, payer: user, name, symbol, uri } = terms;
    const theirs = await PUMP_SDK.createV2Instruction({ mint, creator, user, name, symbol, uri, mayhemMode: false });
    const ours = createV2(terms);
    expect(ours.data.toString('hex')).toBe(theirs.data.toString('hex'));
    expect(ours.programId.toBase58()).toBe(theirs.programId.toBase58());
    const plain = ({ keys }: TransactionInstruction) =>
      keys.map(({ pubkey, isSigner, isWritable }) => [pubkey.toBase58(), isSigner, isWritable]);
    expect(plain(ours)).toEqual(plain(theirs));
  });

  test('is not for a local network', () => {
    expect(['mainnet', 'devnet', 'testnet', 'localnet'].map((one) => pumpfun.isOn(one as never))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test('fits one packet with the longest texts', async () => {
    const terms = _terms({ name: 'a'.repeat(32), symbol: '8LETTERS', uri: `https://${'u'.repeat(192)}` });
    const instructions = await pumpfun.instructions(terms, async () => 0);
    const recentBlockhash = PublicKey.default.toBase58();
    const message = new TransactionMessage({ payerKey: terms.payer, recentBlockhash, instructions });
    // 129 bytes: two signatures and their count.
    expect(message.compileToLegacyMessage().serialize().length + 129).toBeLessThanOrEqual(1_232);
  });
});
