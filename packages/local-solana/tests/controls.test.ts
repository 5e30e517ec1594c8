import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type Connection, type Keypair, PublicKey } from '@solana/web3.js';
import { base64, openNetwork, type TestNetwork } from './_network.ts';

let network: TestNetwork;
let connection: Connection;
let payer: Keypair;

beforeAll(async () => {
  network = await openNetwork();
  connection = network.connect();
  payer = await network.fundedWallet();
});

afterEach(() => network.control.clearFaults());

afterAll(() => network.close());

const settings = { commitment: 'confirmed', maxSupportedTransactionVersion: 0 };

async function pay(memo: string, baseUnits = 1_000n): Promise<string> {
  const transaction = await network.payment(payer, baseUnits, memo);
  const { result } = await network.rpc('sendTransaction', [
    base64(transaction),
    { encoding: 'base64', skipPreflight: true },
  ]);
  return result as string;
}

async function received(): Promise<bigint> {
  const { value } = await connection.getParsedTokenAccountsByOwner(
    new PublicKey(network.featureWallet),
    { mint: new PublicKey(network.mint) },
    'processed',
  );
  return BigInt(value[0]?.account.data.parsed.info.tokenAmount.amount ?? 0);
}

async function isKnown(signature: string): Promise<boolean> {
  return (await connection.getSignatureStatus(signature, { searchTransactionHistory: true })).value !== null;
}

describe('time', () => {
  test('stands still while slots are paused, and moves by what it is told', async () => {
    const running = await openNetwork({ slotMs: 5 });
    const slot = await running.control.pauseSlots();
    expect((await running.rpc('getSlot', ['processed'])).result).toBe(slot);
    expect(await running.control.advance(40)).toBe(slot + 40);
    expect((await running.rpc('getSlot', ['processed'])).result).toBe(slot + 40);
    await running.control.resumeSlots();
    await running.close();
  });

  test('of blocks is moved, and payments carry it', async () => {
    const time = await network.control.moveTime(86_400);
    const signature = await pay('tomorrow');
    await network.control.advance(1);
    const { blockTime } = (await connection.getTransaction(signature, settings as never)) ?? {};
    expect(blockTime).toBeGreaterThanOrEqual(time);
    await network.control.moveTime(-86_400);
  });
});

describe('a roll-back', () => {
  test('takes a transaction and its effects away, and repeats what came after it', async () => {
    const before = await received();
    const gone = await pay('gone', 1_000n);
    const kept = await pay('kept', 500n);
    await network.control.advance(1);
    expect(await network.control.rollBack(gone)).toEqual([gone]);
    expect(await received()).toBe(before + 500n);
    expect(await connection.getTransaction(gone, settings as never)).toBeNull();
    expect(await isKnown(gone)).toBe(false);
    expect(await isKnown(kept)).toBe(true);
    const history = await connection.getSignaturesForAddress(new PublicKey(network.featureWallet));
    expect(history.map(({ signature }) => signature)).not.toContain(gone);
    expect(history[0]).toMatchObject({ signature: kept, memo: '[4] kept' });
  });

  test('lets the same bytes land again', async () => {
    const transaction = await network.payment(payer, 700n, 'twice');
    const send = () =>
      network.rpc('sendTransaction', [base64(transaction), { encoding: 'base64', preflightCommitment: 'processed' }]);
    const before = await received();
    const { result: signature } = await send();
    await network.control.rollBack(signature as string);
    expect(await received()).toBe(before);
    expect((await send()).result).toBe(signature);
    expect(await received()).toBe(before + 700n);
  });

  test('drops what can no longer happen', async () => {
    const fresh = await network.fundedWallet();
    const [funding] = (await connection.getSignaturesForAddress(fresh.publicKey)).slice(-1);
    const transaction = await network.payment(fresh, 1n, 'paid from the gift');
    const { result: paid } = await network.rpc('sendTransaction', [
      base64(transaction),
      { encoding: 'base64', skipPreflight: true },
    ]);
    // Without its first lamports the wallet cannot pay the fee, so the payment is rolled back too.
    expect(await network.control.rollBack(funding?.signature ?? '')).toEqual([funding?.signature, paid]);
  });

  test('is refused for what is finalized or unknown', async () => {
    const signature = await pay('final');
    await network.control.advance(32);
    await expect(network.control.rollBack(signature)).rejects.toThrow('is finalized');
    await expect(network.control.rollBack('nothing')).rejects.toThrow('is not on the chain');
  });
});

describe('an endpoint', () => {
  const post = () => fetch(network.rpcUrl, { method: 'POST', body: '{"jsonrpc":"2.0","id":1,"method":"getHealth"}' });

  test('answers HTML or an HTTP error as often as told, then well again', async () => {
    await network.control.fault({ kind: 'html', times: 1 });
    const page = await post();
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html']);
    for (const status of [429, 503]) {
      await network.control.fault({ kind: 'status', status, times: 2 });
      expect([(await post()).status, (await post()).status, (await post()).status]).toEqual([status, status, 200]);
    }
  });

  test('breaks the connection, before or after the work', async () => {
    const before = await received();
    const methods = ['sendTransaction'];
    await network.control.fault({ kind: 'drop', methods, times: 1 });
    await expect(pay('not done')).rejects.toThrow();
    expect(await received()).toBe(before);
    await network.control.fault({ kind: 'drop-answer', methods, times: 1 });
    await expect(pay('done', 300n)).rejects.toThrow();
    expect(await received()).toBe(before + 300n);
  });

  test('answers some methods late, others at once', async () => {
    await network.control.fault({ kind: 'delay', ms: 2_000, methods: ['getSlot'] });
    const order: string[] = [];
    await Promise.all(['getSlot', 'getHealth'].map((method) => network.rpc(method).then(() => order.push(method))));
    expect(order).toEqual(['getHealth', 'getSlot']);
  });

  test('fails with an error of its own until that is cleared', async () => {
    await network.control.fault({ kind: 'error', code: -32_005, message: 'Node is unhealthy', methods: ['getHealth'] });
    expect(await network.rpc('getHealth')).toMatchObject({ error: { code: -32_005, message: 'Node is unhealthy' } });
    expect(await network.rpc('getSlot')).toMatchObject({ result: expect.any(Number) });
    await network.control.clearFaults();
    expect(await network.rpc('getHealth')).toMatchObject({ result: 'ok' });
  });

  test('denies a confirmed transaction', async () => {
    const signature = await pay('denied');
    await network.control.advance(1);
    await network.control.fault({ kind: 'hide-transactions', times: 1 });
    expect(await connection.getTransaction(signature, settings as never)).toBeNull();
    expect(await isKnown(signature)).toBe(true);
    expect(await connection.getTransaction(signature, settings as never)).not.toBeNull();
  });

  test('takes a transaction and loses it', async () => {
    await network.control.fault({ kind: 'lose-transactions', times: 1 });
    const signature = await pay('lost');
    expect(signature).toEqual(expect.any(String));
    expect(await isKnown(signature)).toBe(false);
  });

  test('lags behind a healthy one over the same chain', async () => {
    const healthy = await network.control.openEndpoint();
    const before = await received();
    await network.control.fault({ kind: 'lag', slots: 10 });
    const signature = await pay('lag', 250n);
    const slot = await network.control.advance(1);
    const ask = (rpcUrl: string) => network.rpc('getTransaction', [signature, settings], rpcUrl);
    expect((await network.rpc('getSlot', ['processed'])).result).toBe(slot - 10);
    expect(await ask(network.rpcUrl)).toMatchObject({ result: null });
    expect(await ask(healthy.rpcUrl)).toMatchObject({ result: { slot: slot - 1 } });
    expect(await isKnown(signature)).toBe(false);
    await network.control.advance(10);
    expect(await ask(network.rpcUrl)).toMatchObject({ result: { slot: slot - 1 } });
    expect(await received()).toBe(before + 250n);
    await healthy.close();
    await expect(ask(healthy.rpcUrl)).rejects.toThrow();
    await expect(network.control.fault({ kind: 'lag', slots: 301 })).rejects.toThrow('lags by 0 to 300 slots');
  });

  test('has its own faults', async () => {
    const faulty = await network.control.openEndpoint();
    await faulty.fault({ kind: 'error', code: 1, message: 'no' });
    expect(await network.rpc('getHealth', [], faulty.rpcUrl)).toMatchObject({ error: { code: 1 } });
    expect(await network.rpc('getHealth')).toMatchObject({ result: 'ok' });
    await faulty.clearFaults();
    expect(await network.rpc('getHealth', [], faulty.rpcUrl)).toMatchObject({ result: 'ok' });
    await faulty.close();
  });
});
