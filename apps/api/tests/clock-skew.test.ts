import { TestWallet } from '@archive/testing';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Response } from 'express';
import request from 'supertest';
import { Lease } from '../src/background/lease.ts';
import { sweep } from '../src/db/sweep.ts';
import { BUDGETS, RateLimits } from '../src/http/rate-limits.ts';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

const MINUTE = 60_000;
describe('two processes whose clocks are twelve minutes apart, on one database', () => {
  let ahead: TestApi;
  let behind: TestApi;

  beforeAll(async () => {
    const databaseName = `skew_${Date.now()}`;
    const env = { RATE_LIMITS: 'off', JWT_SECRET: 'a-secret-of-both-of-more-than-32-bytes' };
    const clockOff = (ms: number) => ({ databaseName, now: () => Date.now() + ms });
    ahead = await startTestApi({ env, overrides: clockOff(6 * MINUTE) });
    behind = await startTestApi({ env, overrides: clockOff(-6 * MINUTE) });
    await ahead.add(newPost({ id: 'liked' }));
  });

  afterAll(async () => {
    await behind.close({ keepDatabase: true });
    await ahead.close();
  });

  const both = () => [behind, ahead];
  const collection = (name: string) => ahead.context.database.db.collection<{ _id: string; expiresAt: Date }>(name);
  /** Moves the expiry back by some milliseconds. */
  const age = (name: string, ms: number) =>
    collection(name).updateMany({}, [{ $set: { expiresAt: { $subtract: ['$expiresAt', ms] } } }]);
  const sweepAll = async () => {
    for (const { context } of both()) await sweep(context.database.db);
  };
  const react = (api: TestApi, signed: object) =>
    request(api.app)
      .post('/amber/reactions/liked/signature')
      .send({ ...signed, reactionType: 'heart' });
  const heart = (wallet: TestWallet, timestamp: number) =>
    wallet.signedReaction({ action: 'add', reactionType: 'heart', archiveId: 'liked', timestamp });
  const challenge = async (api: TestApi, wallet: TestWallet) => {
    const { body } = await request(api.app).post('/amber/auth/challenge').send({ walletAddress: wallet.address });
    return body.challenge as string;
  };
  const verify = (api: TestApi, wallet: TestWallet, message: string) =>
    request(api.app)
      .post('/amber/auth/verify')
      .send({ walletAddress: wallet.address, message, signature: wallet.sign(message) });
  const me = (api: TestApi, token: string) =>
    request(api.app).get('/amber/auth/me').set('Authorization', `Bearer ${token}`);

  it('let nobody replay a signed message, whoever sweeps and whoever is asked', async () => {
    for (const from of both()) {
      const signed = heart(new TestWallet(), Date.now() - 2 * MINUTE);
      expect((await react(from, signed)).status).toBe(200);
      await sweepAll();
      for (const api of both()) expect((await react(api, signed)).body.code).toBe('message_replayed');
    }
    const early = heart(new TestWallet(), Date.now() + 4 * MINUTE);
    expect((await react(ahead, early)).status).toBe(200);
    // The message stays acceptable for nine minutes from now.
    for (const name of ['signed_messages', 'signed_marks']) await age(name, 9 * MINUTE);
    await sweepAll();
    for (const api of both()) expect((await react(api, early)).body.code).toBe('message_replayed');
  });

  it('take what the database calls five minutes, and no more', async () => {
    for (const api of both()) {
      for (const [offset, status] of [
        [0, 200],
        [-4.5 * MINUTE, 200],
        [4.5 * MINUTE, 200],
        [-5.5 * MINUTE, 400],
        [5.5 * MINUTE, 400],
      ] as const) {
        const answer = await react(api, heart(new TestWallet(), Date.now() + offset));
        expect([offset, answer.status]).toEqual([offset, status]);
        if (status === 400) expect(answer.body.code).toBe('message_expired');
      }
      const early = heart(new TestWallet(), Date.now() + 5.5 * MINUTE);
      for (let times = 0; times < 2; times++) {
        expect((await react(api, early)).body.code).toBe('message_expired');
      }
    }
  });

  it('take a challenge of either for five minutes, once', async () => {
    for (const from of both()) {
      for (const to of both()) {
        const wallet = new TestWallet();
        const message = await challenge(from, wallet);
        await sweepAll();
        expect((await verify(to, wallet, message)).status).toBe(200);
        for (const api of both()) expect((await verify(api, wallet, message)).status).toBe(401);
        const late = await challenge(from, wallet);
        await age('challenges', 5 * MINUTE);
        expect((await verify(to, wallet, late)).body.code).toBe('challenge_invalid');
      }
    }
  });

  it('end a session after a day, in both', async () => {
    const { token } = await new TestWallet().signIn(behind);
    await age('sessions', 24 * 60 * MINUTE - MINUTE);
    await sweepAll();
    for (const api of both()) expect((await me(api, token)).status).toBe(200);
    await age('sessions', MINUTE);
    for (const api of both()) expect((await me(api, token)).status).toBe(401);
  });
});

it('of several processes one has a lease, until it ends it or is not heard of for a while', async () => {
  const { context, close } = await startTestApi();
  const { db } = context.database;
  const age = (ms: number) =>
    db.collection('leases').updateMany({}, [{ $set: { until: { $subtract: ['$until', ms] } } }]);
  const [one, two, other] = [new Lease(db, 'work'), new Lease(db, 'work'), new Lease(db, 'other work')];
  const taken = await Promise.all([one.take(), two.take(), other.take()]);
  expect(taken.filter(Boolean)).toHaveLength(2);
  expect(taken[2]).toBe(true);
  const [holder, waiting] = taken[0] ? [one, two] : [two, one];
  await age(14_000);
  expect([await holder.take(), await waiting.take()]).toEqual([true, false]);
  await age(5_000);
  expect(await waiting.take()).toBe(false);
  await age(11_000);
  expect([await waiting.take(), await holder.take()]).toEqual([true, false]);
  await holder.end();
  expect(await holder.take()).toBe(false);
  await waiting.end();
  expect(await holder.take()).toBe(true);
  // A holder that renews once a minute keeps its lease between renewals.
  const [slow, eager] = [new Lease(db, 'slow work', { pauseMs: 60_000 }), new Lease(db, 'slow work')];
  expect(await slow.take()).toBe(true);
  await age(65_000);
  expect(await eager.take()).toBe(false);
  await age(11_000);
  expect(await eager.take()).toBe(true);
  await close();
});

it('a budget that is spent stays so for a process whose clock is ahead, and comes back by the database’s clock', async () => {
  const { context, close } = await startTestApi();
  const { db } = context.database;
  const processes = [1, 2].map(() => new RateLimits({ db, isOn: true }));
  const spend = async (at: number, who: string) =>
    processes[at]?.spend('verify', who, { setHeader() {} } as unknown as Response).then(
      () => 'spent',
      ({ code }) => code,
    );
  for (let times = 0; times < BUDGETS.verify.points; times++) expect(await spend(0, 'one')).toBe('spent');
  // Fakes `Date` only.
  jest.useFakeTimers({
    now: Date.now() + 2 * MINUTE,
    doNotFake: [
      'clearImmediate',
      'clearInterval',
      'clearTimeout',
      'hrtime',
      'nextTick',
      'performance',
      'queueMicrotask',
      'setImmediate',
      'setInterval',
      'setTimeout',
    ],
  });
  try {
    expect(await spend(1, 'one')).toBe('rate_limited');
    expect(await spend(1, 'two')).toBe('spent');
  } finally {
    jest.useRealTimers();
  }
  expect(await spend(0, 'one')).toBe('rate_limited');
  await db.collection('rate_limits').updateMany({}, [{ $set: { expire: { $subtract: ['$expire', MINUTE] } } }]);
  const fresh = new RateLimits({ db, isOn: true });
  await expect(fresh.spend('verify', 'one', { setHeader() {} } as unknown as Response)).resolves.toBeUndefined();
  await close();
});

it('a process whose own clock is set goes on by the database’s', async () => {
  const { context, close } = await startTestApi();
  const { clock } = context.database;
  await clock.measure();
  const before = Date.now();
  const wrong = jest.spyOn(Date, 'now').mockReturnValue(before + 60 * MINUTE);
  try {
    expect(Math.abs(clock.now().getTime() - before)).toBeLessThan(30 * MINUTE);
    expect(Math.abs(context.now() - before)).toBeLessThan(30 * MINUTE);
    await clock.measure();
    expect(Math.abs(clock.now().getTime() - before)).toBeLessThan(30 * MINUTE);
  } finally {
    wrong.mockRestore();
  }
  await close();
});

it('an answer that comes late does not move the clock', async () => {
  const { context, close } = await startTestApi();
  const { clock } = context.database;
  for (let times = 0; times < 3; times++) await clock.measure();
  const aheadOfOurs = () => clock.now().getTime() - performance.now();
  const before = aheadOfOurs();
  const measured = clock.measure();
  const busyUntil = performance.now() + 200;
  while (performance.now() < busyUntil);
  await measured;
  expect(Math.abs(aheadOfOurs() - before)).toBeLessThan(20);
  await close();
});

it('what is remembered for a moment is forgotten after it, also where the clock is set back meanwhile', async () => {
  let now = Date.now();
  const { context, close } = await startTestApi({ overrides: { now: () => now } });
  const { responses } = context.posts;
  const { refusals } = context.featuring;
  const { holdings } = context.launches;
  const read = jest.fn(async () => true);
  await responses.answer('/a', async () => 'an answer');
  refusals.keep('signature', { code: 'no_transfer', message: 'no payment' });
  await holdings.recent('wallet', read);
  now -= 60 * MINUTE;
  const remembered = async () => {
    await holdings.recent('wallet', read);
    return [responses.get('/a') !== undefined, refusals.of('signature') !== null, read.mock.calls.length === 1];
  };
  expect(await remembered()).toEqual([true, true, true]);
  const later = performance.now() + 15_001;
  const passed = jest.spyOn(performance, 'now').mockReturnValue(later);
  try {
    expect(await remembered()).toEqual([false, false, false]);
  } finally {
    passed.mockRestore();
  }
  await close();
});
