import { call, TestWallet } from '@archive/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { clientOf } from '../src/clients.ts';
import { BUDGETS, RateLimits } from '../src/http/rate-limits.ts';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi({ env: { RATE_LIMITS: 'on' } });
  await api.add(newPost({ id: 'liked' }));
});

afterAll(() => api.close());

const codesOf = async (calls: Promise<unknown>[]) =>
  (await Promise.allSettled(calls)).map((one) => (one.status === 'rejected' ? one.reason.code : 'counted'));

it.each([
  ['203.0.113.9', '203.0.113.77'],
  ['2001:db8:1:1::9', '2001:db8:1:2::9'],
])('%s, refused for itself, uses up nothing of what its network has', async (greedy, neighbour) => {
  const { db } = api.context.database;
  const points = 6;
  const spend = (address: string, limits = new RateLimits({ db, isOn: true })) =>
    limits.spendOf('verify', clientOf(address), null, { points });
  // Each call comes from a separate process without a memory of limited clients.
  const codes = await codesOf(Array.from({ length: points * 9 }, () => spend(greedy)));
  expect(codes.filter((code) => code === 'counted')).toHaveLength(points);
  expect(await codesOf([spend(neighbour)])).toEqual(['counted']);
});

it('a wallet that is refused for itself uses up nothing of what its network has', async () => {
  const { token } = await new TestWallet().signIn(api);
  const { points } = BUDGETS.change;
  const react = () => call(api, 'POST', '/amber/reactions/liked', token, { reactionType: 'heart' });
  const answers = await Promise.all(Array.from({ length: points + 10 }, react));
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
  const counter = await api.context.database.db.collection('rate_limits').findOne({ key: 'reaction:127.0.0.0/24' });
  expect(counter).toMatchObject({ points });
});
