import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { OPEN_REPORTS_PER_NETWORK, OPEN_REPORTS_PER_WALLET } from '@archive/contracts';
import { type LocalSolana, openLocalSolana } from '@archive/local-solana';
import { featureEnv, Payer, TestWallet } from '@archive/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import bs58 from 'bs58';
import { Chain } from '../src/chain/chain.ts';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

const FULL = 'Too many payments are waiting for the network. What was paid is found without being reported.';

let solana: LocalSolana;
let node: Server;
let api: TestApi;
let asked: string[];
let post: string;
let serial = 0;

/** A proxy between the API and its node that records the calls. */
async function openCountingNode(): Promise<Server> {
  const server = createServer(async (incoming, outgoing) => {
    const body = await text(incoming);
    asked.push(JSON.parse(body).method);
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(solana.rpcUrl, { method: 'POST', body, headers });
    outgoing.end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

beforeAll(async () => {
  asked = [];
  solana = await openLocalSolana({ slotMs: 0 });
  node = await openCountingNode();
  const url = `http://127.0.0.1:${(node.address() as AddressInfo).port}`;
  // Limits per call are not tested here.
  const env = { ...featureEnv(solana), SOLANA_RPC_URL: url, TRUSTED_PROXIES: '1' };
  api = await startTestApi({ env: { ...env, RATE_LIMITS: 'on' }, overrides: { watcher: { missingMs: 0 } } });
});

afterAll(async () => {
  await api.close();
  node.close();
  await solana.close();
});

beforeEach(async () => {
  await reports().deleteMany({});
  const id = `reported-${++serial}`;
  await api.add(newPost({ id }));
  post = (await api.context.posts.store.find(id))?._id.toHexString() as string;
  asked = [];
});

const madeUp = () => bs58.encode(randomBytes(64));
const reports = () => api.context.featuring.payments.reports;
const questions = (method?: string) => asked.filter((one) => !method || one === method).length;

/** A person on a network of this test alone, by default. */
async function open(address = `192.0.${serial}.1`, wallet = new TestWallet()) {
  const { accounts } = api.context;
  const id = await accounts.sessions.begin(wallet.address, 3_600_000);
  const token = accounts.tokens.sign({ walletAddress: wallet.address, id });
  const served = { url: api.url, headers: { 'x-forwarded-for': address } };
  const payer = await Payer.open(solana, wallet, '5');
  return { payer, verify: (signature: string) => payer.verify(served, token, post, signature) };
}

/** Moves the reports back by some milliseconds. */
async function pass(ms: number): Promise<void> {
  const earlier = (field: string) => ({ $subtract: [field, ms] });
  await reports().updateMany({}, [{ $set: { nextAt: earlier('$nextAt'), reportedAt: earlier('$reportedAt') } }]);
}

it('a wallet has so many reports waiting, and more ask nobody anything', async () => {
  const { verify } = await open();
  const answers = [];
  for (let count = 0; count < 60; count++) answers.push(await verify(madeUp()));
  expect(answers.map(({ status }) => status)).toEqual([
    ...Array(OPEN_REPORTS_PER_WALLET).fill(202),
    ...Array(60 - OPEN_REPORTS_PER_WALLET).fill(429),
  ]);
  const last = answers.at(-1);
  expect([last?.body.code, last?.body.message]).toEqual(['rate_limited', FULL]);
  expect(Number(last?.headers['retry-after'])).toBeGreaterThan(0);
  expect(questions()).toBe(2 * OPEN_REPORTS_PER_WALLET);
  expect(await reports().countDocuments()).toBe(OPEN_REPORTS_PER_WALLET);
});

it('of many at once no more than that are kept', async () => {
  const { verify } = await open();
  await Promise.all(Array.from({ length: 60 }, () => verify(madeUp())));
  expect(await reports().countDocuments()).toBeLessThanOrEqual(OPEN_REPORTS_PER_WALLET);
});

it('wallets of one network have so many together, and a payment from there is found all the same', async () => {
  const wallets = Array.from(
    { length: OPEN_REPORTS_PER_NETWORK / OPEN_REPORTS_PER_WALLET + 1 },
    () => new TestWallet(),
  );
  const statuses: number[] = [];
  for (const [at, wallet] of wallets.entries()) {
    const { verify } = await open(`203.0.113.${at}`, wallet);
    for (let count = 0; count < OPEN_REPORTS_PER_WALLET; count++) statuses.push((await verify(madeUp())).status);
  }
  expect(statuses.filter((status) => status === 202)).toHaveLength(OPEN_REPORTS_PER_NETWORK);
  expect((await (await open('198.51.100.1')).verify(madeUp())).status).toBe(202);
  const honest = await open('203.0.113.200');
  const signature = await honest.payer.pay(post);
  expect((await honest.verify(signature)).status).toBe(429);
  await api.context.featuring.watcher?.look();
  const answer = await honest.verify(signature);
  expect([answer.status, answer.body.archive.featured]).toEqual([200, true]);
});

it('the same signature is asked for once at a time, and not again until it is due', async () => {
  const { verify } = await open();
  const signature = madeUp();
  const together = await Promise.all(Array.from({ length: 30 }, () => verify(signature)));
  expect(new Set(together.map(({ status }) => status))).toEqual(new Set([202]));
  // Reports that arrive before the first answer may ask, but most of them share one answer.
  expect(questions('getTransaction')).toBeLessThan(30);
  asked = [];
  // Moves the next question a minute ahead, so that a slow machine does not reach it.
  await pass(-60_000);
  for (let count = 0; count < 30; count++) expect((await verify(signature)).status).toBe(202);
  expect(questions()).toBe(0);
  await pass(62_000);
  await verify(signature);
  expect(asked.toSorted()).toEqual(['getBlockHeight', 'getTransaction']);
});

it('the watcher asks for all that wait in one question, ever more seldom', async () => {
  const { verify } = await open();
  // First settles the payments of other tests, which the watcher would ask about in each round.
  await api.context.featuring.watcher?.look();
  await solana.control.advance(64);
  await api.context.featuring.watcher?.look();
  for (let count = 0; count < OPEN_REPORTS_PER_WALLET; count++) await verify(madeUp());
  const rounds = async (count: number, ms: number) => {
    asked = [];
    for (let round = 0; round < count; round++) {
      await pass(ms);
      await api.context.featuring.watcher?.look();
    }
    return questions('getTransaction') + questions('getSignatureStatuses') + questions('getBlockHeight');
  };
  // A minute and a half of rounds, then a day.
  expect(await rounds(60, 1_500)).toBeLessThanOrEqual(2 * 60);
  expect(questions('getTransaction')).toBe(0);
  await solana.control.advance(151);
  expect(await rounds(25, 3_600_000)).toBeLessThanOrEqual(2 * 15);
  expect(questions('getTransaction')).toBe(0);
  await rounds(10, 3_600_000);
  expect(await reports().countDocuments()).toBe(0);
});

it('a place is free again when the payment is settled, and when its transaction can never land', async () => {
  const { payer, verify } = await open();
  const full = async () => {
    for (let count = 0; count < OPEN_REPORTS_PER_WALLET - 1; count++) expect((await verify(madeUp())).status).toBe(202);
  };
  await full();
  expect((await verify(await payer.pay(post))).status).toBe(200);
  expect((await verify(madeUp())).status).toBe(202);
  const refused = await verify(madeUp());
  expect(refused.status).toBe(429);
  await solana.control.advance(151);
  await pass(90_000);
  await api.context.featuring.watcher?.look();
  const late = madeUp();
  expect((await verify(late)).status).toBe(202);
  await solana.control.advance(151);
  await pass(90_000);
  expect((await verify(late)).body.code).toBe('payment_not_found');
  asked = [];
  expect((await verify(late)).body.code).toBe('payment_not_found');
  expect(questions()).toBe(0);
});

it('a transaction that is no payment is looked at once, not for each who says that it is one', async () => {
  const { payer, verify } = await open();
  const other = await open('198.51.100.1');
  const { connection, wallet } = payer;
  const signature = await connection.requestAirdrop(wallet.keypair.publicKey, 1_000);
  await solana.control.advance(1);
  asked = [];
  for (const { status, body } of [await verify(signature), await verify(signature), await other.verify(signature)]) {
    expect([status, body.code]).toEqual([422, 'payment_refused']);
  }
  expect(questions('getTransaction')).toBe(1);
});

it('of two nodes each is asked for what the other does not know', async () => {
  const { payer } = await open();
  const [known, unknown] = [await payer.pay(post), madeUp()];
  const behind = await solana.control.openEndpoint();
  await behind.fault({ kind: 'lag', slots: 100 });
  const chain = new Chain([behind.rpcUrl, solana.rpcUrl]);
  expect(await chain.statusesOf([unknown, known])).toEqual([null, expect.objectContaining({ err: null })]);
  expect(await new Chain(['http://127.0.0.1:9', solana.rpcUrl]).statusesOf([known, unknown])).toEqual([
    expect.objectContaining({ err: null }),
    null,
  ]);
  await expect(new Chain(['http://127.0.0.1:9'], 500).statusesOf([known])).rejects.toThrow(
    'getSignatureStatuses failed',
  );
  await behind.close();
});
