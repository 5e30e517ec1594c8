import { expect, it } from '@jest/globals';
import { Lease } from '../src/background/lease.ts';
import { startTestApi } from './_test-api.ts';

it('of several processes one has a lease, until it ends it or is not heard of for a while', async () => {
  const { context, close } = await startTestApi();
  const { db } = context.database;
  let at = Date.now();
  const clock = { now: () => new Date(at) } as never;
  const [one, two, other] = [
    new Lease({ db, clock }, 'work'),
    new Lease({ db, clock }, 'work'),
    new Lease({ db, clock }, 'other work'),
  ];
  const taken = await Promise.all([one.take(), two.take(), other.take()]);
  expect(taken.filter(Boolean)).toHaveLength(2);
  expect(taken[2]).toBe(true);
  const [holder, waiting] = taken[0] ? [one, two] : [two, one];
  at += 14_000;
  expect([await holder.take(), await waiting.take()]).toEqual([true, false]);
  at += 14_000;
  expect(await waiting.take()).toBe(false);
  at += 2_000;
  expect([await waiting.take(), await holder.take()]).toEqual([true, false]);
  await holder.end();
  expect(await holder.take()).toBe(false);
  await waiting.end();
  expect(await holder.take()).toBe(true);
  await close();
});
