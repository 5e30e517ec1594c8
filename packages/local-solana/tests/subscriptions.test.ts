import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Connection, Keypair } from '@solana/web3.js';
import WebSocket from 'ws';
import { base64, openNetwork, type TestNetwork } from './_network.ts';

let network: TestNetwork;
let connection: Connection;
let payer: Keypair;

beforeAll(async () => {
  network = await openNetwork();
  connection = network.connect();
  payer = await network.fundedWallet();
});

afterAll(() => network.close());

/** A plain connection that records its messages. */
async function listen(url = network.wsUrl) {
  const socket = new WebSocket(url);
  await once(socket, 'open');
  const told: { method: string; params: { subscription: number; result: Record<string, unknown> } }[] = [];
  const waiting: (() => void)[] = [];
  let lastId = 0;
  const answers = new Map<number, (answer: { result?: unknown; error?: { code: number } }) => void>();
  socket.on('message', (data) => {
    const message = JSON.parse(String(data));
    if (message.method) told.push(message);
    else answers.get(message.id)?.(message);
    for (const wake of waiting.splice(0)) wake();
  });
  return {
    told,
    call: (method: string, params: unknown[]) => {
      lastId += 1;
      const id = lastId;
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      return new Promise<{ result?: unknown; error?: { code: number } }>((resolve) => answers.set(id, resolve));
    },
    until: async (count: number) => {
      while (told.length < count) await new Promise<void>((resolve) => waiting.push(resolve));
    },
    close: () => socket.close(),
  };
}

test('the client confirms a payment by its subscription', async () => {
  const transaction = await network.payment(payer, 1n, 'confirm');
  const latest = await connection.getLatestBlockhash();
  const signature = await connection.sendTransaction(transaction, { preflightCommitment: 'processed' });
  const confirmed = connection.confirmTransaction({ signature, ...latest });
  await network.control.advance(1);
  expect((await confirmed).value.err).toBeNull();
});

test('the client learns that its blockhash has expired', async () => {
  const transaction = await network.payment(payer, 1n, 'never sent');
  const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash('processed');
  await network.control.advance(151);
  const signature = await connection.sendTransaction(transaction, { skipPreflight: true });
  await expect(
    connection.confirmTransaction({ signature, blockhash, lastValidBlockHeight }, 'processed'),
  ).rejects.toThrow(/block height exceeded/);
});

test('a signature is told once, at its commitment, even when it is asked for late', async () => {
  const client = await listen();
  const transaction = await network.payment(payer, 1n, 'told once');
  const { result: signature } = await client.call('sendTransaction', [
    base64(transaction),
    { encoding: 'base64', skipPreflight: true },
  ]);
  const { result: processed } = await client.call('signatureSubscribe', [signature, { commitment: 'processed' }]);
  await client.until(1);
  const { result: finalized } = await client.call('signatureSubscribe', [signature, { commitment: 'finalized' }]);
  await network.control.advance(31);
  await client.call('getHealth', []);
  expect(client.told).toHaveLength(1);
  await network.control.advance(1);
  await client.until(2);
  await network.control.advance(1);
  await client.call('getHealth', []);
  expect(client.told.map(({ method, params }) => [method, params.subscription, params.result['value']])).toEqual([
    ['signatureNotification', processed, { err: null }],
    ['signatureNotification', finalized, { err: null }],
  ]);
  client.close();
});

test('accounts, logs and slots are told until they are unsubscribed, on both ports', async () => {
  for (const url of [network.wsUrl, network.rpcUrl.replace('http', 'ws')]) {
    const client = await listen(url);
    const receiver = Keypair.generate().publicKey.toBase58();
    const settings = { commitment: 'confirmed', encoding: 'base64' };
    const ids = [
      await client.call('accountSubscribe', [receiver, settings]),
      await client.call('logsSubscribe', [{ mentions: [receiver] }, settings]),
      await client.call('slotSubscribe', []),
    ].map(({ result }) => result);
    const { result: signature } = await network.rpc('requestAirdrop', [receiver, 2_000_000]);
    const slot = await network.control.advance(1);
    await client.until(3);
    expect(Object.fromEntries(client.told.map(({ method, params }) => [method, params]))).toMatchObject({
      accountNotification: { subscription: ids[0], result: { value: { lamports: 2_000_000 } } },
      logsNotification: { subscription: ids[1], result: { value: { signature, err: null } } },
      slotNotification: { subscription: ids[2], result: { slot, parent: slot - 1 } },
    });
    await client.call('accountUnsubscribe', [ids[0]]);
    await client.call('logsUnsubscribe', [ids[1]]);
    await client.call('slotUnsubscribe', [ids[2]]);
    await network.rpc('requestAirdrop', [receiver, 2_000_000]);
    await network.control.advance(1);
    await client.call('getHealth', []);
    expect(client.told).toHaveLength(3);
    expect(await client.call('slotUnsubscribe', [ids[2]])).toMatchObject({ error: { code: -32_602 } });
    client.close();
  }
});
