import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Keypair } from '@solana/web3.js';
import WebSocket from 'ws';
import { openNetwork, post, type TestNetwork } from './_network.ts';

let network: TestNetwork;
let payer: Keypair;
let pid: number | undefined;

beforeAll(async () => {
  network = await openNetwork();
  payer = await network.fundedWallet();
  pid = network.pid();
});

afterEach(async () => {
  expect(await network.rpc('getHealth')).toMatchObject({ result: 'ok' });
  expect(network.pid()).toBe(pid);
});

afterAll(() => network.close());

const send = (bytes: Uint8Array, method = 'sendTransaction') =>
  network.rpc(method, [
    Buffer.from(bytes).toString('base64'),
    { encoding: 'base64', skipPreflight: true, sigVerify: false, replaceRecentBlockhash: true },
  ]);

test('bytes that are no transaction are refused', async () => {
  const good = (await network.payment(payer, 1n, 'good')).serialize();
  const bad: [string, Uint8Array][] = [
    ['nothing', new Uint8Array()],
    ['one byte', Uint8Array.of(1)],
    ['a cut signature', good.slice(0, 40)],
    ['a cut message', good.slice(0, 100)],
    ['bytes after the end', Uint8Array.of(...good, 0)],
    ['an absurd number of signatures', Uint8Array.of(0xff, 0xff, 3)],
    ['a length written too long', Uint8Array.of(0x81, 0, ...good.slice(1))],
    ['a version of the future', Uint8Array.of(0x82, ...good.slice(1))],
    ['a cut version 1', Uint8Array.of(0x81, 1, 0, 0, 0, 0, 0, 0)],
    ['version 1 without accounts', Uint8Array.of(0x81, ...new Uint8Array(200))],
    ['too many bytes', new Uint8Array(1_233).fill(1)],
    ['no signers', Uint8Array.of(0, 0x80, 0, 0, 0, 0, ...new Uint8Array(34))],
  ];
  for (const [name, bytes] of bad) {
    for (const method of ['sendTransaction', 'simulateTransaction']) {
      expect([name, (await send(bytes, method)).error?.code]).toEqual([name, -32_602]);
    }
  }
  for (const text of ['not base64!', '0OIl', 'é']) {
    expect(await network.rpc('sendTransaction', [text, { encoding: 'base64' }])).toMatchObject({
      error: { code: -32_602 },
    });
    expect(await network.rpc('sendTransaction', [text])).toMatchObject({ error: { code: -32_602 } });
  }
});

test('a transaction with any byte changed is refused or executed', async () => {
  const good = (await network.payment(payer, 1n, 'good')).serialize();
  let seed = 7;
  const random = (limit: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % limit;
  };
  const trials = Array.from({ length: 400 }, () => {
    const changed = Uint8Array.from(good);
    // After the signature, where the message's structure is.
    for (let times = random(3); times >= 0; times -= 1) changed[65 + random(good.length - 65)] = random(256);
    return changed;
  });
  const body = JSON.stringify(
    trials.slice(0, 100).map((bytes, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'sendTransaction',
      params: [Buffer.from(bytes).toString('base64'), { encoding: 'base64', skipPreflight: true }],
    })),
  );
  expect(await post(network.rpcUrl, body)).toHaveLength(100);
  for (const bytes of trials) {
    const { result, error } = await send(bytes, 'simulateTransaction');
    expect(result !== undefined || error?.code === -32_602).toBe(true);
  }
});

test('parameters of every wrong kind are refused', async () => {
  const wrong = [null, 5, '', 'short', 'é'.repeat(44), '1'.repeat(45), {}, [], 'x'.repeat(100_000), true];
  const methods = ['getAccountInfo', 'getBalance', 'getTransaction', 'getSignaturesForAddress', 'getTokenSupply'];
  for (const method of [...methods, 'requestAirdrop', 'isBlockhashValid', 'getTokenAccountsByOwner']) {
    for (const value of wrong) {
      expect([method, await network.rpc(method, [value])]).toMatchObject([method, { error: { code: -32_602 } }]);
    }
    expect(await network.rpc(method, { address: 'x' })).toMatchObject({ error: { code: -32_602 } });
  }
  const { mint } = network;
  for (const params of [
    [mint, { encoding: 'zip' }],
    [mint, { commitment: 'maybe' }],
    [mint, 7],
    [mint, { dataSlice: { offset: 'x' } }],
  ]) {
    expect(await network.rpc('getAccountInfo', params)).toMatchObject({ error: { code: -32_602 } });
  }
  for (const amount of [-1, 1.5, 2 ** 70, '1']) {
    expect(await network.rpc('requestAirdrop', [mint, amount])).toMatchObject({ error: { code: -32_602 } });
  }
  expect(await network.rpc('requestAirdrop', [mint, 10 ** 18])).toMatchObject({ error: { code: -32_002 } });
  expect(await network.rpc('getMultipleAccounts', [Array(101).fill(mint)])).toMatchObject({ error: { code: -32_602 } });
  expect(await network.rpc('getFeeForMessage', ['AAAA'])).toMatchObject({ error: { code: -32_602 } });
  const filters = [{ memcmp: { offset: -5, bytes: '1' } }, { memcmp: null }, null, 5, { dataSize: 'x' }];
  for (const filter of filters) {
    const { result, error } = await network.rpc('getProgramAccounts', [mint, { filters: [filter] }]);
    expect(result !== undefined || error?.code === -32_602).toBe(true);
  }
});

test('bodies that are no JSON-RPC are answered as such', async () => {
  const bodies: [string, number][] = [
    ['', -32_700],
    ['{', -32_700],
    ['null', -32_600],
    ['[]', -32_600],
    ['[1]', -32_600],
    ['"text"', -32_600],
    ['{"jsonrpc":"2.0","id":1}', -32_600],
    ['{"jsonrpc":"2.0","id":1,"method":5}', -32_600],
    [JSON.stringify(Array(101).fill({ id: 1, method: 'getHealth' })), -32_600],
  ];
  for (const [body, code] of bodies)
    expect([body, await post(network.rpcUrl, body)]).toMatchObject([body, { error: { code } }]);
  expect((await fetch(network.rpcUrl)).status).toBe(405);
  expect((await fetch(network.rpcUrl, { method: 'POST', body: 'x'.repeat(1_000_001) })).status).toBe(413);
});

test('broken connections and frames end only themselves', async () => {
  const port = Number(new URL(network.rpcUrl).port);
  for (const words of ['', 'nonsense\r\n\r\n', 'POST / HTTP/1.1\r\ncontent-length: 50\r\n\r\n{"half"']) {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.end(words);
    socket.resume();
    await once(socket, 'close');
  }
  for (const frame of ['{', '[]', 'null', '{"id":1,"method":"accountSubscribe","params":["x"]}']) {
    const client = new WebSocket(network.wsUrl);
    await once(client, 'open');
    client.send(frame);
    const [data] = await once(client, 'message');
    expect(JSON.parse(String(data))).toMatchObject({ error: { code: expect.any(Number) } });
    client.terminate();
  }
  const huge = new WebSocket(network.wsUrl);
  await once(huge, 'open');
  huge.on('error', () => {});
  huge.send('x'.repeat(1_000_001));
  await once(huge, 'close');
});
