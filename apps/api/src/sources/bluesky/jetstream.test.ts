import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { until } from '@archive/tiers';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import WebSocket, { WebSocketServer } from 'ws';
import { Jetstream } from './jetstream.ts';

const DID = 'did:plc:ragtjsm2j2vknwkz3zp4oxrd';
const WANTED = new Set([DID]);
const START = Date.UTC(2026, 10, 22);
const MINUTE_MS = 60_000;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';

let server: WebSocketServer;
let client: WebSocket;
let stream: Jetstream;
let now: number;
let asked: string[];

beforeEach(async () => {
  now = START;
  asked = [];
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  server.on('connection', (_socket, { url }) => asked.push(url ?? ''));
  await once(server, 'listening');
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const openSocket = (address: string) => {
    client = new WebSocket(address);
    return client;
  };
  stream = new Jetstream({ url, openSocket, log: { warn: () => {} }, now: () => now, beatMs: 5 });
});

afterEach(() => {
  stream.close();
  for (const client of server.clients) client.terminate();
  server.close();
});

/** Advances the clock in steps shorter than the silence limit, with a pong from the stream after each. */
async function pass(ms: number): Promise<void> {
  for (const end = now + ms; now < end; ) {
    now = Math.min(end, now + 10_000);
    stream.take();
    await once(client, 'pong');
  }
}

function tell(at: number, rkey = '3l3qo2vutsw2b') {
  const commit = { operation: 'delete', collection: 'app.bsky.feed.post', rkey };
  for (const client of server.clients) client.send(JSON.stringify({ did: DID, time_us: at, kind: 'commit', commit }));
}

async function connect(position: number | null) {
  stream.connect(WANTED, position);
  await until(() => stream.isOpen);
}

test('goes on from a little before where it was, and where it was nowhere from now', async () => {
  await connect((START - MINUTE_MS) * 1000);
  stream.close();
  await connect(null);
  expect(asked).toEqual([
    `/subscribe?requireHello=true&cursor=${(START - MINUTE_MS - 5_000) * 1000}`,
    '/subscribe?requireHello=true',
  ]);
});

test('is where its latest event was', async () => {
  const from = START - 60 * MINUTE_MS;
  await connect(from * 1000);
  expect(stream.take()).toEqual({ hints: [], position: null });
  tell(from * 1000 + 5);
  let taken = stream.take();
  await until(() => {
    if (taken.hints.length === 0) taken = stream.take();
    return taken.hints.length > 0;
  });
  expect(taken.position).toBe(from * 1000 + 5);
});

test('told nothing, it is where it can be heard, once it has caught up', async () => {
  await connect((START - 3 * MINUTE_MS) * 1000);
  await pass(2 * MINUTE_MS);
  expect(stream.take().position).toBeNull();
  await pass(2 * MINUTE_MS);
  expect(stream.take().position).toBe((START + 3 * MINUTE_MS) * 1000);
});

test('told of what is long past, it is there and no further, until it tells of now', async () => {
  await connect(null);
  const past = (START - 10 * MINUTE_MS) * 1000;
  tell(past);
  let taken = stream.take();
  await until(() => {
    if (taken.hints.length === 0) taken = stream.take();
    return taken.hints.length > 0;
  });
  expect(taken.position).toBe(past);
  // The connection answered pings, but sent no events.
  await pass(2_000);
  expect(stream.take().position).toBe(past);
  tell(now * 1000);
  await until(() => stream.take().position === now * 1000);
  await pass(2 * MINUTE_MS);
  expect(stream.take().position).toBe((now - MINUTE_MS) * 1000);
});

test('left because of trouble with what it told, it waits', async () => {
  await connect(null);
  stream.fail(new Error('it could not be noted'));
  expect([stream.isOpen, stream.isDue]).toEqual([false, false]);
  now += 1_000;
  expect(stream.isDue).toBe(true);
});

test('what is not to be yet moves nothing and tells nothing', async () => {
  await connect((START - MINUTE_MS) * 1000);
  tell((START + 60 * MINUTE_MS) * 1000, 'aaaaaaaaaaaaa');
  tell(START * 1000, 'bbbbbbbbbbbbb');
  const hints: string[] = [];
  let position: number | null = null;
  await until(() => {
    const taken = stream.take();
    hints.push(...taken.hints.map(({ id }) => id ?? ''));
    position = taken.position ?? position;
    return hints.length > 0;
  });
  expect(hints).toEqual([`bsky-${DID.slice(8)}-bbbbbbbbbbbbb`]);
  expect(position).toBe(START * 1000);
});

test('reads no more than some while nobody takes them, and loses none', async () => {
  await connect((START - MINUTE_MS) * 1000);
  const keys = Array.from({ length: 20_000 }, (_, at) =>
    Array.from({ length: 13 }, (_unused, digit) => LETTERS[(at >> (5 * (12 - digit))) & 31]).join(''),
  );
  for (const key of keys) tell(START * 1000, key);
  const sizes: number[] = [];
  const ids: (string | null)[] = [];
  await until(() => {
    const { hints } = stream.take();
    sizes.push(hints.length);
    ids.push(...hints.map(({ id }) => id));
    return ids.length >= keys.length;
  });
  expect(ids).toEqual(keys.map((key) => `bsky-${DID.slice(8)}-${key}`));
  // Messages that arrived together are still read.
  expect(Math.max(...sizes)).toBeLessThan(5_000);
});

test('is left where nobody takes what it tells, and where it is heard no more', async () => {
  await connect(null);
  now += 31_000;
  await until(() => !stream.isOpen);
  expect(stream.isDue).toBe(true);
  stream.connect(WANTED, null);
  await until(() => stream.isOpen);
  for (const client of server.clients) client.pause();
  // A pong may still be in transit, so advance until one is missing.
  await until(() => {
    if (!stream.isOpen) return true;
    now += 20_000;
    stream.take();
    return false;
  });
  // That counts as a failure, so it does not reconnect at once.
  expect(stream.isDue).toBe(false);
});

test('an address that may not be asked is a failure too', () => {
  const openSocket = () => {
    throw new Error('not allowed');
  };
  stream = new Jetstream({ url: 'wss://inside.example', openSocket, log: { warn: () => {} }, now: () => now });
  stream.connect(WANTED, null);
  expect([stream.isOpen, stream.isDue]).toEqual([false, false]);
  now += 1_000;
  expect(stream.isDue).toBe(true);
});

test('waits ever longer where it fails, and not where it has lasted', async () => {
  const waits: number[] = [];
  for (let failures = 0; failures < 12; failures++) {
    await connect(null);
    for (const client of server.clients) client.terminate();
    await until(() => !stream.isOpen);
    const failedAt = now;
    while (!stream.isDue) now += 10;
    waits.push(now - failedAt);
  }
  waits.forEach((wait, failures) => {
    const longest = Math.min(5 * MINUTE_MS, 1_000 * 2 ** failures);
    expect(wait).toBeGreaterThanOrEqual(longest / 2);
    expect(wait).toBeLessThanOrEqual(longest + 10);
  });
  await connect(null);
  await pass(70_000);
  for (const client of server.clients) client.terminate();
  await until(() => !stream.isOpen);
  now += 1_000;
  expect(stream.isDue).toBe(true);
});
