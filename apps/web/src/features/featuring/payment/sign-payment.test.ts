import { associatedAccount, buildFeaturePayment } from '@archive/solana/chain';
import { describe, expect, test } from '@jest/globals';
import {
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import bs58 from 'bs58';
import { signPayment } from './sign-payment.ts';

const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const payer = Keypair.fromSeed(new Uint8Array(32).fill(1));
const receiver = Keypair.fromSeed(new Uint8Array(32).fill(2)).publicKey.toBase58();
const mint = Keypair.fromSeed(new Uint8Array(32).fill(3)).publicKey.toBase58();
const BLOCKHASH = PublicKey.default.toBase58();
const OTHER_BLOCKHASH = mint;

const terms = {
  payer: payer.publicKey.toBase58(),
  receiver,
  receiverAccount: associatedAccount(receiver, mint, TOKEN_PROGRAM),
  mint,
  tokenProgram: TOKEN_PROGRAM,
  decimals: 6,
  postId: '0123456789abcdef01234567',
  baseUnits: 1_000_000n,
};

const connection = {
  getLatestBlockhash: async () => ({ blockhash: BLOCKHASH, lastValidBlockHeight: 150 }),
  getBlockHeight: async () => 20,
};

type Change = (instructions: TransactionInstruction[]) => TransactionInstruction[];

/** A test wallet that signs its own version of the transaction. */
function sign(change: Change = (all) => all, signer = payer, blockhash = BLOCKHASH) {
  return signPayment(connection, terms, async (built) => {
    const { instructions } = TransactionMessage.decompile(built.message);
    const message = new TransactionMessage({
      payerKey: signer.publicKey,
      recentBlockhash: blockhash,
      instructions: change(instructions),
    });
    const transaction = new VersionedTransaction(message.compileToV0Message());
    transaction.sign([signer]);
    return transaction;
  });
}

const limit = ComputeBudgetProgram.setComputeUnitLimit({ units: 200_000 });

describe('what a wallet gives back', () => {
  test('is kept as it is, under its first signature', async () => {
    const { signature, transaction, lastValidBlockHeight } = await sign();
    const signed = VersionedTransaction.deserialize(Uint8Array.from(atob(transaction), (one) => one.charCodeAt(0)));
    expect(signature).toBe(bs58.encode(signed.signatures[0] ?? new Uint8Array()));
    expect(lastValidBlockHeight).toBe(150);
  });

  test('may hold instructions of its own, before, between and after', async () => {
    await expect(sign((all) => [limit, ...all.flatMap((one) => [one, limit])])).resolves.toBeDefined();
  });

  test('may have another blockhash, and is then waited for longer', async () => {
    expect((await sign((all) => all, payer, OTHER_BLOCKHASH)).lastValidBlockHeight).toBeGreaterThan(20 + 151);
  });

  test('is refused with another payer', async () => {
    const stranger = Keypair.fromSeed(new Uint8Array(32).fill(9));
    await expect(sign((all) => all.slice(0, 0), stranger)).rejects.toThrow('Your wallet signed for another account.');
  });

  test('is refused without the transfer or the memo, or with another amount', async () => {
    const changed = 'Your wallet changed the payment itself.';
    await expect(sign((all) => all.slice(0, -1))).rejects.toThrow(changed);
    await expect(sign(([create, , transfer]) => [create, transfer].filter((one) => one !== undefined))).rejects.toThrow(
      changed,
    );
    await expect(
      sign((all) =>
        all.map((one, at) => {
          if (at === 2) one.data[1] = 7;
          return one;
        }),
      ),
    ).rejects.toThrow(changed);
  });

  test('is refused where it would be good for ever', async () => {
    const nonce = SystemProgram.nonceAdvance({ noncePubkey: new PublicKey(mint), authorizedPubkey: payer.publicKey });
    await expect(sign((all) => [nonce, ...all])).rejects.toThrow('never expires');
  });

  test('is refused unsigned', async () => {
    await expect(signPayment(connection, terms, async (built) => built)).rejects.toThrow(
      'The transaction was not signed.',
    );
    expect(buildFeaturePayment(terms, BLOCKHASH).signatures[0]).toEqual(new Uint8Array(64));
  });
});
