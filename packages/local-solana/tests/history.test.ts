import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Connection, type Keypair, PublicKey } from '@solana/web3.js';
import { openNetwork, type TestNetwork } from './_network.ts';

let network: TestNetwork;
let connection: Connection;
let payer: Keypair;
let wallet: PublicKey;

beforeAll(async () => {
  network = await openNetwork();
  connection = network.connect();
  payer = await network.fundedWallet();
  wallet = new PublicKey(network.featureWallet);
});

afterAll(() => network.close());

async function pay(memo: string): Promise<string> {
  return connection.sendTransaction(await network.payment(payer, 1_000n, memo), { preflightCommitment: 'processed' });
}

describe('a signature history', () => {
  test('names memos, newest first, and is read in pages that fit together', async () => {
    const sent: string[] = [];
    for (let index = 0; index < 7; index += 1) {
      sent.unshift(await pay(`memo ${index}`));
      if (index % 3 === 2) await network.control.advance(1);
    }
    await network.control.advance(1);
    const all = await connection.getSignaturesForAddress(wallet);
    expect(all.map(({ signature }) => signature)).toEqual(sent);
    expect(all.map(({ memo }) => memo)).toEqual([6, 5, 4, 3, 2, 1, 0].map((index) => `[6] memo ${index}`));
    const pages: string[] = [];
    for (let before: string | undefined; ; before = pages.at(-1)) {
      const page = await connection.getSignaturesForAddress(wallet, { limit: 3, ...(before && { before }) });
      if (page.length === 0) break;
      pages.push(...page.map(({ signature }) => signature));
    }
    expect(pages).toEqual(sent);
    const newer = await connection.getSignaturesForAddress(wallet, { until: sent[4] as string });
    expect(newer.map(({ signature }) => signature)).toEqual(sent.slice(0, 4));
  });

  test('holds nothing below the commitment that is asked for', async () => {
    const signature = await pay('young');
    const newest = async (commitment: 'confirmed' | 'finalized') =>
      (await connection.getSignaturesForAddress(wallet, { limit: 1 }, commitment))[0];
    expect((await newest('confirmed'))?.signature).not.toBe(signature);
    await network.control.advance(1);
    expect(await newest('confirmed')).toMatchObject({ signature, confirmationStatus: 'confirmed' });
    expect((await newest('finalized'))?.signature).not.toBe(signature);
    await network.control.advance(31);
    expect(await newest('finalized')).toMatchObject({ signature, confirmationStatus: 'finalized' });
    expect(
      await network.rpc('getSignaturesForAddress', [network.featureWallet, { commitment: 'processed' }]),
    ).toMatchObject({
      error: { code: -32_602 },
    });
    expect(await network.rpc('getSignaturesForAddress', [network.featureWallet, { limit: 1_001 }])).toMatchObject({
      error: { code: -32_602 },
    });
  });
});

describe('a transaction', () => {
  test('is null until the commitment is reached, and is read in every encoding', async () => {
    const signature = await pay('read me');
    const read = (settings: object) => network.rpc('getTransaction', [signature, settings]);
    const settings = { commitment: 'confirmed', maxSupportedTransactionVersion: 0 };
    expect(await read(settings)).toMatchObject({ result: null });
    await network.control.advance(1);
    expect(await read(settings)).toMatchObject({ result: { version: 0, transaction: { signatures: [signature] } } });
    for (const encoding of ['base64', 'base58']) {
      expect(await read({ ...settings, encoding })).toMatchObject({
        result: { transaction: [expect.any(String), encoding], blockTime: expect.any(Number) },
      });
    }
    const parsed = await connection.getParsedTransaction(signature, { maxSupportedTransactionVersion: 0 });
    expect(parsed?.transaction.message.accountKeys[0]).toMatchObject({ signer: true, writable: true });
    expect(await read({ commitment: 'confirmed' })).toMatchObject({ error: { code: -32_015 } });
    expect(await read({ ...settings, commitment: 'processed' })).toMatchObject({ error: { code: -32_602 } });
  });

  test('has a status that grows, and for an old one history must be searched', async () => {
    const signature = await pay('grow');
    const status = async (search = false) =>
      (await connection.getSignatureStatus(signature, { searchTransactionHistory: search })).value;
    expect(await status()).toMatchObject({ confirmations: 0, confirmationStatus: 'processed', err: null });
    await network.control.advance(1);
    expect(await status()).toMatchObject({ confirmations: 1, confirmationStatus: 'confirmed' });
    await network.control.advance(31);
    expect(await status()).toMatchObject({ confirmations: null, confirmationStatus: 'finalized' });
    await network.control.advance(300);
    expect(await status()).toBeNull();
    expect(await status(true)).toMatchObject({ confirmationStatus: 'finalized' });
  });
});
