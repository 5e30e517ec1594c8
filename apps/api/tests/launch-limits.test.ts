import { type LocalSolana, openLocalSolana } from '@archive/local-solana';
import { checkPost, Launcher } from '@archive/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { checkLaunches } from '../src/launches/check-launches.ts';
import { addPost, openLauncherFast, startLaunchApi } from './_launch-api.ts';
import { startTestApi, type TestApi } from './_test-api.ts';

/** The answer for a post that can be launched. */
const FREE = { exists: false, tokenLaunch: null, failure: null, refusal: null };

let solana: LocalSolana;

beforeAll(async () => {
  solana = await openLocalSolana({ slotMs: 0 });
});

afterAll(() => solana.close());

describe('caps', () => {
  let api: TestApi;

  beforeAll(async () => {
    api = await startLaunchApi(solana, {
      env: { RATE_LIMITS: 'on', LAUNCH_WALLET_CAP: '2', LAUNCH_DAILY_CAP: '3', LAUNCH_BLOCKED_WORDS: 'evil corp' },
    });
  });

  afterAll(() => api.close());

  it('a wallet launches so many tokens a day, all together so many; what came to nothing does not count', async () => {
    const [ada, eve] = [await Launcher.open(api), await Launcher.open(api)];
    const next = async () => (await addPost(api)).post;
    await solana.control.fault({ kind: 'drop', methods: ['simulateTransaction'] });
    for (let tries = 0; tries < 4; tries++) expect((await ada.launch({ amberId: await next() })).status).toBe(503);
    await solana.control.clearFaults();
    const first = await next();
    expect((await ada.launch({ amberId: first })).status).toBe(202);
    expect((await ada.launch({ amberId: await next() })).status).toBe(202);
    const third = await next();
    const answer = await ada.launch({ amberId: third });
    expect([answer.status, answer.body.code]).toEqual([429, 'rate_limited']);
    expect(answer.body.message).toBe('A wallet can launch 2 tokens a day. The next day begins at 00:00 UTC.');
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    // The refusal is known before anything is signed, and applies to this wallet only.
    const { code, message } = answer.body;
    expect(await ada.check(third)).toEqual({ ...FREE, refusal: { code, message } });
    expect(await eve.check(third)).toEqual(FREE);
    expect(await checkPost(api, third)).toEqual(FREE);
    expect((await ada.check(first)).refusal).toBeNull();
    // Repeating an earlier launch does not count.
    expect((await ada.launch({ amberId: first })).status).toBe(202);
    expect((await eve.launch({ amberId: third })).status).toBe(202);
    const fourth = await next();
    const late = await eve.launch({ amberId: fourth });
    const refusal = {
      code: 'rate_limited',
      message: 'No more tokens can be launched today. The next day begins at 00:00 UTC.',
    };
    expect(late.status).toBe(429);
    expect(late.body).toMatchObject(refusal);
    expect(await checkPost(api, fourth)).toEqual({ ...FREE, refusal });
    expect(await eve.check(fourth)).toEqual({ ...FREE, refusal });
  });

  it('asking is free, and whoever asks with a token that is worth nothing is a visitor', async () => {
    const ada = await openLauncherFast(api);
    const { post } = await addPost(api);
    const kept = async () => {
      const names = ['launch_counts', 'rate_limits', 'launches', 'sessions'];
      // Checks count as reads, which are left out here.
      const all = { key: { $not: /^read:/ } };
      return Promise.all(names.map((name) => api.context.database.db.collection(name).find(all).toArray()));
    };
    const before = await kept();
    const { tokens } = api.context.accounts;
    const unknown = tokens.sign({ walletAddress: ada.wallet.address, id: 'nobody' });
    const asVisitor = await checkPost(api, post);
    for (const token of ['', 'Bearer', 'Bearer x', 'Basic eDp5', `Bearer ${unknown}`, `Bearer ${'a'.repeat(3_000)}`]) {
      const answer = await request(api.app).get(`/amber/token/check/${post}`).set('Authorization', token);
      expect([answer.status, answer.body]).toEqual([200, asVisitor]);
    }
    await Promise.all(Array.from({ length: 30 }, () => ada.check(post)));
    expect(await kept()).toEqual(before);
  });

  it('of many launches at once no more than the cap go through', async () => {
    const { store: launches } = api.context.launches;
    const now = new Date(0);
    const budgets = [
      { who: 'somebody', cap: 5 },
      { who: 'everybody', cap: 100 },
    ];
    const answers = await Promise.all(Array.from({ length: 50 }, () => launches.spend(budgets, now)));
    expect(answers.filter((spent) => spent === null)).toHaveLength(5);
    expect(await launches.left(budgets, now)).toEqual([0, 95]);
    expect(await launches.left(budgets, new Date(86_400_000))).toEqual([5, 100]);
    expect(await launches.spend([{ who: 'nobody', cap: 0 }], now)).toEqual({ who: 'nobody', cap: 0 });
  });

  it('a launch that could not be counted is not made, even where one that was comes to nothing at that moment', async () => {
    const ada = await Launcher.open(api);
    const { post } = await addPost(api);
    const { database } = api.context;
    const { store: launches } = api.context.launches;
    await database.db.collection('launch_counts').deleteMany({});
    const spend = launches.spend.bind(launches);
    const others = [{ who: ada.wallet.address, cap: 2 }];
    launches.spend = async (budgets, now) => {
      for (let count = 0; count < 2; count++) await spend(others, now);
      const answer = await spend(budgets, now);
      for (let count = 0; count < 2; count++) await launches.giveBack(others, now);
      return answer;
    };
    const answer = await ada.launch({ amberId: post });
    launches.spend = spend;
    expect([answer.status, answer.body.message]).toEqual([
      429,
      'A wallet can launch 2 tokens a day. The next day begins at 00:00 UTC.',
    ]);
    expect(await launches.left(others, new Date())).toEqual([2]);
  });

  it('a cap of one is said in the singular', async () => {
    const strict = await startLaunchApi(solana, { env: { RATE_LIMITS: 'on', LAUNCH_WALLET_CAP: '1' } });
    const ada = await Launcher.open(strict);
    await ada.launch({ amberId: (await addPost(strict)).post });
    expect((await ada.check((await addPost(strict)).post)).refusal?.message).toBe(
      'A wallet can launch 1 token a day. The next day begins at 00:00 UTC.',
    );
    await strict.close();
  });

  it('an operator’s words are refused', async () => {
    const ada = await Launcher.open(api);
    const answer = await ada.launch({ amberId: (await addPost(api)).post, name: 'My Evil Corp' });
    expect([answer.status, answer.body.message]).toEqual([
      400,
      'The token\'s name is not allowed: it reads as "evil corp".',
    ]);
  });
});

describe('where nothing is launched', () => {
  it.each([
    ['switched off', { LAUNCH_PLATFORM: 'off' }, 'Launching tokens is switched off.'],
    ['pump.fun on a local network', { LAUNCH_PLATFORM: 'pumpfun' }, 'Launching tokens is not available at the moment.'],
    ['no node', { SOLANA_RPC_URL: '' }, 'Launching tokens is not available at the moment.'],
    ['a node away', { SOLANA_RPC_URL: 'http://127.0.0.1:9' }, 'Launching tokens is not available at the moment.'],
    [
      'an address too long for a token',
      { PUBLIC_URL: `https://${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.example` },
      'Launching tokens is not available at the moment.',
    ],
  ])('%s: a clear sentence, and the browser is told', async (_, env, message) => {
    const api = await startTestApi({ env: { SOLANA_RPC_URL: solana.rpcUrl, ...env } });
    await api.context.launches.offer.start();
    expect((await request(api.app).get('/amber/config')).body.launchPlatform).toBeNull();
    const ada = await Launcher.open(api);
    const { post } = await addPost(api);
    const answer = await ada.launch({ amberId: post });
    expect([answer.status, answer.body.code, answer.body.message]).toEqual([503, 'launching_unavailable', message]);
    expect((await request(api.app).get(`/amber/token/check/${post}`)).body).toEqual({
      exists: false,
      tokenLaunch: null,
      failure: null,
      refusal: { code: 'launching_unavailable', message },
    });
    await api.close();
  });

  it('a pinning service that is away leaves nothing half-done', async () => {
    const api = await startLaunchApi(solana, {
      env: { LAUNCH_METADATA: 'ipfs', LAUNCH_IPFS_ENDPOINT: 'http://127.0.0.1:9/' },
    });
    const ada = await Launcher.open(api);
    const { post } = await addPost(api);
    const answer = await ada.launch({ amberId: post });
    expect([answer.status, answer.body.code]).toEqual([503, 'metadata_unavailable']);
    expect((await request(api.app).get(`/amber/token/check/${post}`)).body).toMatchObject({
      tokenLaunch: null,
      failure: { status: 'failed' },
    });
    await api.close();
  });
});

describe('the check of launches', () => {
  it('finds nothing where all is well, and names what is not', async () => {
    const api = await startLaunchApi(solana);
    const { chain, database } = api.context;
    const { store: archives } = api.context.posts;
    const { store: launches } = api.context.launches;
    const ada = await Launcher.open(api);
    const posts = [await addPost(api), await addPost(api), await addPost(api)];
    for (const { post } of posts) await ada.launch({ amberId: post });
    await solana.control.advance(1);
    await api.context.launches.watcher?.look();
    const check = () => checkLaunches({ posts: archives, launches, chain, now: database.clock.now() });
    expect(await check()).toEqual({ launches: 3, onChain: 3, differences: [] });
    const found = await Promise.all(posts.map(({ id }) => archives.find(id)));
    const [first, second, third] = found.map((post) => post?._id as never);
    await archives.setLaunched(first as never, false);
    await launches.launches.updateOne({ _id: second as never }, { $set: { state: 'expired' } });
    await launches.launches.updateOne({ _id: third as never }, { $set: { mint: ada.wallet.address } });
    await launches.launches.updateOne({ _id: first as never }, { $set: { changedAt: new Date(0) } });
    const { differences } = await check();
    expect(differences).toHaveLength(4);
    for (const line of [
      /^post .* is launched and not marked so$/,
      /^post .* is marked as launched and has no token$/,
      /^token .* is not on the chain$/,
      /^token .* is on the chain, and its launch is expired$/,
    ]) {
      expect(differences).toContainEqual(expect.stringMatching(line));
    }
    await launches.launches.updateOne({ _id: first as never }, { $set: { state: 'signed' } });
    expect((await check()).differences).toContainEqual(expect.stringMatching(/is still signed$/));
    await api.close();
  });
});
