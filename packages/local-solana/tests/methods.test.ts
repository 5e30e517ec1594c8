import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  ComputeBudgetProgram,
  type Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  PublicKey,
  SystemProgram,
} from '@solana/web3.js';
import { openNetwork, post, sign, type TestNetwork } from './_network.ts';

let network: TestNetwork;
let connection: Connection;
let payer: Keypair;
const startedAt = Date.now();

beforeAll(async () => {
  network = await openNetwork();
  connection = network.connect();
  payer = await network.fundedWallet();
});

afterAll(() => network.close());

describe('the cluster', () => {
  test('tells its version, health, slots and heights, which differ', async () => {
    expect(await connection.getVersion()).toMatchObject({ 'solana-core': expect.any(String) });
    expect(await network.rpc('getHealth')).toMatchObject({ result: 'ok' });
    const slot = await connection.getSlot('processed');
    expect(await connection.getSlot('confirmed')).toBe(slot - 1);
    expect(await connection.getSlot('finalized')).toBe(slot - 32);
    expect(await connection.getBlockHeight('processed')).toBe(slot - 1_000);
    expect(await connection.getEpochInfo('processed')).toMatchObject({ absoluteSlot: slot, blockHeight: slot - 1_000 });
    expect(await connection.getGenesisHash()).toBe(network.genesisHash);
    const time = (await connection.getBlockTime(slot)) ?? 0;
    expect(time).toBeGreaterThan(startedAt / 1_000 - 2);
    expect(time).toBeLessThan(Date.now() / 1_000 + 2);
    expect(await network.rpc('getSlot', [{ minContextSlot: slot + 1 }])).toMatchObject({ error: { code: -32_016 } });
  });

  test('knows a blockhash for 150 slots', async () => {
    const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash('processed');
    expect(lastValidBlockHeight).toBe((await connection.getBlockHeight('processed')) + 150);
    const isValid = async () => (await connection.isBlockhashValid(blockhash, { commitment: 'processed' })).value;
    await network.control.advance(150);
    expect(await isValid()).toBe(true);
    await network.control.advance(1);
    expect(await isValid()).toBe(false);
  });

  test('tells fees before they are paid', async () => {
    const { blockhash } = await connection.getLatestBlockhash();
    const transfer = SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: payer.publicKey, lamports: 1 });
    const { message } = sign([transfer], [payer], blockhash);
    expect(await connection.getFeeForMessage(message)).toMatchObject({ value: 5_000 });
    const priced = sign(
      [
        ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 12_345 }),
        ComputeBudgetProgram.setComputeUnitLimit({ units: 50_000 }),
        transfer,
      ],
      [payer],
      blockhash,
    );
    const { value: fee } = await connection.getFeeForMessage(priced.message);
    expect(fee).toBe(5_618);
    const before = await connection.getBalance(payer.publicKey, 'processed');
    await connection.sendTransaction(priced);
    expect(await connection.getBalance(payer.publicKey, 'processed')).toBe(before - 5_618);
    await network.control.advance(151);
    expect(await connection.getFeeForMessage(message)).toMatchObject({ value: null });
    expect(await connection.getRecentPrioritizationFees()).toHaveLength(150);
    expect(await connection.getMinimumBalanceForRentExemption(165)).toBe(2_039_280);
  });
});

describe('accounts', () => {
  test('are read one by one and together, none as null', async () => {
    const nobody = Keypair.generate().publicKey;
    const mint = new PublicKey(network.mint);
    expect(await connection.getBalance(nobody)).toBe(0);
    expect(await connection.getAccountInfo(nobody)).toBeNull();
    const [, info] = await connection.getMultipleAccountsInfo([nobody, mint]);
    expect(info).toMatchObject({ lamports: 1_461_600, executable: false });
    expect(info?.data).toHaveLength(82);
    expect(await network.rpc('getAccountInfo', [network.mint, { encoding: 'base58' }])).toMatchObject({
      result: { value: { data: [expect.any(String), 'base58'] } },
    });
    const slice = { encoding: 'base64', dataSlice: { offset: 44, length: 1 } };
    expect(await network.rpc('getAccountInfo', [network.mint, slice])).toMatchObject({
      result: { value: { data: ['Bg==', 'base64'], space: 82 } },
    });
  });

  test('are read as they were at a commitment', async () => {
    const receiver = Keypair.generate().publicKey;
    await connection.requestAirdrop(receiver, LAMPORTS_PER_SOL);
    const balances = () => Promise.all((['processed', 'confirmed', 'finalized'] as const).map(read));
    const read = (commitment: 'processed' | 'confirmed' | 'finalized') => connection.getBalance(receiver, commitment);
    expect(await balances()).toEqual([LAMPORTS_PER_SOL, 0, 0]);
    await network.control.advance(1);
    expect(await balances()).toEqual([LAMPORTS_PER_SOL, LAMPORTS_PER_SOL, 0]);
    await network.control.advance(31);
    expect(await balances()).toEqual(Array(3).fill(LAMPORTS_PER_SOL));
  });

  test('of tokens are found by owner, by mint and by program', async () => {
    const mint = new PublicKey(network.mint);
    const { value } = await connection.getParsedTokenAccountsByOwner(payer.publicKey, { mint });
    expect(value.map(({ account }) => account.data.parsed.info.tokenAmount.uiAmountString)).toEqual(['1000']);
    const address = value[0]?.pubkey as PublicKey;
    const programId = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
    expect((await connection.getTokenAccountsByOwner(payer.publicKey, { programId })).value).toMatchObject([
      { pubkey: address },
    ]);
    const filters = [{ dataSize: 165 }, { memcmp: { offset: 32, bytes: payer.publicKey.toBase58() } }];
    expect(await connection.getProgramAccounts(programId, { filters })).toMatchObject([{ pubkey: address }]);
    expect(await connection.getTokenAccountBalance(address)).toMatchObject({ value: { amount: '1000000000' } });
    expect(await connection.getTokenSupply(mint)).toMatchObject({ value: { amount: '1000000000', decimals: 6 } });
    await expect(connection.getTokenAccountBalance(payer.publicKey)).rejects.toThrow('not a Token account');
  });
});

describe('gifts', () => {
  test('of lamports are signed transactions, equal ones in one slot too', async () => {
    const receiver = Keypair.generate().publicKey;
    const signatures = await Promise.all([1, 2, 3].map(() => connection.requestAirdrop(receiver, 1_000_000)));
    expect(new Set(signatures).size).toBe(3);
    await network.control.advance(1);
    expect(await connection.getBalance(receiver)).toBe(3_000_000);
    const history = await connection.getSignaturesForAddress(receiver);
    expect(history.map(({ signature }) => signature)).toEqual(signatures.toReversed());
  });

  test('of project tokens make the account, and are exact', async () => {
    const receiver = Keypair.generate().publicKey.toBase58();
    for (const amount of ['0.000001', '12.5']) {
      expect(await network.rpc('amber_requestTokens', [receiver, amount])).toMatchObject({
        result: expect.any(String),
      });
    }
    const filter = [receiver, { mint: network.mint }, { encoding: 'jsonParsed', commitment: 'processed' }];
    expect(await network.rpc('getTokenAccountsByOwner', filter)).toMatchObject({
      result: { value: [{ account: { data: { parsed: { info: { tokenAmount: { amount: '12500001' } } } } } }] },
    });
    for (const amount of ['0', '-1', '1e3', '1.0000001', ' 1', '', 1, null]) {
      expect(await network.rpc('amber_requestTokens', [receiver, amount])).toMatchObject({ error: { code: -32_602 } });
    }
  });
});

describe('what was paid', () => {
  test('is sent back from the wallet that is paid, and no more than it has', async () => {
    const receiver = Keypair.generate().publicKey.toBase58();
    for (const wallet of [receiver, network.featureWallet]) await network.rpc('amber_requestTokens', [wallet, '2']);
    const { result } = await network.rpc('amber_sendBack', [receiver, '1.5']);
    await network.control.advance(1);
    expect(await connection.getSignatureStatus(String(result))).toMatchObject({ value: { err: null } });
    const amountOf = async (wallet: string) => {
      const found = await connection.getParsedTokenAccountsByOwner(new PublicKey(wallet), {
        mint: new PublicKey(network.mint),
      });
      return found.value[0]?.account.data.parsed.info.tokenAmount.uiAmountString;
    };
    expect(await Promise.all([receiver, network.featureWallet].map(amountOf))).toEqual(['3.5', '0.5']);
    expect(await network.rpc('amber_sendBack', [receiver, '0.6'])).toMatchObject({ error: { code: -32_002 } });
  });
});

describe('the protocol', () => {
  test('answers batches in order, and tells unknown methods and wrong parameters apart', async () => {
    const request = (id: number, method: string, params: unknown) => ({ jsonrpc: '2.0', id, method, params });
    const batch = [request(7, 'getHealth', []), request(8, 'getNothing', []), request(9, 'getBalance', ['short'])];
    expect(await post(network.rpcUrl, JSON.stringify(batch))).toMatchObject([
      { id: 7, result: 'ok' },
      { id: 8, error: { code: -32_601, message: 'Method not found' } },
      { id: 9, error: { code: -32_602 } },
    ]);
  });

  test('lets pages of any origin call', async () => {
    const asked = await fetch(network.rpcUrl, {
      method: 'OPTIONS',
      headers: { origin: 'https://example.com', 'access-control-request-headers': 'content-type,solana-client' },
    });
    expect(asked.status).toBe(204);
    expect(asked.headers.get('access-control-allow-origin')).toBe('*');
    const { headers } = await fetch(network.rpcUrl, { method: 'POST', body: '{}' });
    expect(headers.get('access-control-allow-origin')).toBe('*');
  });

  test('gives nobody on the wire what steers the network', async () => {
    for (const method of ['advance', 'rollBack', 'fault', 'amber_advance', 'constructor', '__proto__', 'toString']) {
      expect(await network.rpc(method, [])).toMatchObject({ error: { code: -32_601 } });
    }
  });
});
