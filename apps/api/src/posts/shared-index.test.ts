import { IndexAwayError } from '@archive/search';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { SharedIndex } from './shared-index.ts';

type Parts = ConstructorParameters<typeof SharedIndex>[0];

let shared: SharedIndex;
/** The test's clock, with one timer. */
let now: number;
let alarm: { at: number; ring: () => void } | null;

beforeEach(() => {
  [now, alarm] = [0, null];
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(((ring: () => void, ms: number) => {
    alarm = { at: now + ms, ring };
    return { unref: () => ({}) };
  }) as typeof setTimeout);
  jest.spyOn(globalThis, 'clearTimeout').mockImplementation(() => {
    alarm = null;
  });
  const log = { info: () => {}, error: () => {} };
  shared = new SharedIndex({ index: { isShared: true }, log } as unknown as Parts);
});

afterEach(() => {
  jest.restoreAllMocks();
});

function pass(ms: number): void {
  now += ms;
  if (alarm && alarm.at <= now) alarm.ring();
}

it('calls no look late before one has ended: a build may take long', () => {
  pass(600_000);
  shared.expectLook(3);
  pass(600_000);
  expect([shared.isAway, shared.isSettled]).toEqual([false, true]);
});

it('is away where no look ends in time, counted from what the last one has covered', () => {
  shared.cover(now);
  pass(10_000);
  shared.expectLook(0);
  pass(1_000);
  expect([shared.isAway, shared.isSettled]).toEqual([false, true]);
  pass(4_000);
  expect([shared.isAway, shared.isSettled]).toEqual([true, false]);
});

it('gives a look more time for many posts', () => {
  shared.cover(now);
  shared.expectLook(100);
  pass(20_000);
  expect(shared.isAway).toBe(false);
  pass(5_000);
  expect(shared.isAway).toBe(true);
});

it('waits for a change as long as its posts may take, and no longer', async () => {
  const late = expect(shared.inTime(() => new Promise<never>(() => {}), 10)).rejects.toThrow(
    'did not take a change in time',
  );
  expect(alarm?.at).toBe(16_000);
  pass(16_000);
  await late;
});

it('applies a change again where it fails at once, since another process may not have noticed that yet', async () => {
  const failures = [new IndexAwayError('away', 'lost'), new IndexAwayError('overloaded', 'busy')];
  const taking = jest.fn(async () => {
    const failure = failures.shift();
    if (failure) throw failure;
    return 'taken';
  });
  expect(await shared.inTime(taking, 1)).toBe('taken');
  expect(taking).toHaveBeenCalledTimes(3);
});

it.each(['building', 'disk'] as const)('waits no longer where the index is away by %s', async (reason) => {
  const taking = jest.fn(async () => Promise.reject(new IndexAwayError(reason, 'no')));
  await expect(shared.inTime(taking, 1)).rejects.toThrow('no');
  expect(taking).toHaveBeenCalledTimes(1);
});

/** A change that fails after `ms`. Returns how often it is tried. */
async function triesOf(ms: number): Promise<number> {
  const taking = jest.fn(async () => {
    pass(ms);
    throw new Error('odd');
  });
  await expect(shared.inTime(taking, 1)).rejects.toThrow('odd');
  return taking.mock.calls.length;
}

it('applies a change again until its time is over, which is short once every process has noticed', async () => {
  expect(await triesOf(8_000)).toBe(2);
  shared.noteAway(new IndexAwayError('away', 'lost'));
  pass(14_000);
  shared.noteAway(new IndexAwayError('away', 'still lost'));
  expect(await triesOf(8_000)).toBe(2);
  expect(await triesOf(800)).toBe(1);
  shared.noteAway(null);
  shared.noteAway(new IndexAwayError('away', 'lost again'));
  expect(await triesOf(8_000)).toBe(2);
});

it('is late with no look while a disk is full, since no look succeeds then and lists still work', () => {
  shared.cover(now);
  for (let looks = 0; looks < 40; looks++) {
    pass(500);
    shared.failLook(new IndexAwayError('disk', 'full'), shared.owed);
  }
  expect([shared.away?.reason, shared.isSettled]).toEqual(['disk', true]);
  pass(15_000);
  expect([shared.away?.reason, shared.isSettled]).toEqual(['away', false]);
});

it('refuses lists after a failed look, whatever the failure, until a full disk alone is the reason', () => {
  shared.failLook(new Error('odd'), shared.owed);
  expect([shared.cause?.message, shared.isSettled]).toEqual(['a look failed: Error: odd', false]);
  shared.failLook(new IndexAwayError('disk', 'full'), shared.owed);
  expect([shared.away?.reason, shared.isSettled]).toEqual(['disk', true]);
});

it('waits the whole time for a save after a full disk, since the other processes answer lists then', async () => {
  shared.noteAway(new IndexAwayError('disk', 'full'));
  pass(20_000);
  expect(await triesOf(8_000)).toBe(2);
});
