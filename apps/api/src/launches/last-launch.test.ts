import { expect, test } from '@jest/globals';
import { ObjectId } from 'mongodb';
import { LastLaunch } from './last-launch.ts';

const LAUNCH = {
  _id: new ObjectId(),
  mint: 'So11111111111111111111111111111111111111112',
  transaction: 'signature',
  network: 'localnet',
  state: 'confirmed',
  createdAt: new Date(0),
};

/** A store whose queries the test answers by hand. */
function _slowStore() {
  const waiting: (() => void)[] = [];
  const newest = async function* () {
    await new Promise<void>((resolve) => waiting.push(resolve));
    yield* [];
  };
  return { waiting, needs: { launches: { newest }, posts: { responses: { forget() {} } }, log: {} } as never };
}

const _turn = () => new Promise(setImmediate);

test('whoever asks while one look is under way shares the next one', async () => {
  const { waiting, needs } = _slowStore();
  const last = new LastLaunch(needs);
  const first = last.refresh();
  await _turn();
  const others = Array.from({ length: 100 }, () => last.refresh());
  waiting.shift()?.();
  await first;
  await _turn();
  expect(waiting).toHaveLength(1);
  waiting.shift()?.();
  await Promise.all(others);
  await _turn();
  expect(waiting).toHaveLength(0);
});

test('a look that never ends is given up, and the next one is made', async () => {
  const { waiting, needs } = _slowStore();
  const last = new LastLaunch(needs, { lookMs: 10 });
  await expect(last.refresh()).rejects.toThrow('did not end');
  const next = last.refresh();
  await _turn();
  for (const answer of waiting) answer();
  await next;
  await last.stop();
});

test('kept answers go when another launch is the newest, and stay while it is the same', async () => {
  let forgotten = 0;
  let kept: object[] = [];
  const needs = {
    launches: { newest: () => kept },
    posts: { store: { find: async () => ({ author: 'Ann' }) }, responses: { forget: () => forgotten++ } },
    log: {},
  } as never;
  const last = new LastLaunch(needs);
  await last.refresh();
  expect(forgotten).toBe(0);
  kept = [LAUNCH];
  await last.refresh();
  expect(last.current?.mint).toBe(LAUNCH.mint);
  expect(forgotten).toBe(1);
  await last.refresh();
  expect(forgotten).toBe(1);
  kept = [];
  await last.refresh();
  expect(last.current).toBeNull();
  expect(forgotten).toBe(2);
});
