import { expect, test } from '@jest/globals';
import { LastChange } from './feeds.ts';

const SECOND = Date.UTC(2026, 0, 1, 12);

test.each([
  ['at its begin', 0, 0, null],
  ['at the end of that second', 0, 999, null],
  ['when that second is over', 0, 1_000, SECOND],
  ['of a change late in a second, while it lasts', 999, 999, null],
  ['of a change late in a second, when it is over', 999, 1_000, SECOND],
  ['long after', 500, 3_600_000, SECOND],
])('the time of the last change is told only when its second is over: %s', (_, changed, asked, told) => {
  let now = SECOND - 60_000;
  const last = new LastChange(() => now);
  now = SECOND + changed;
  last.note();
  now = SECOND + asked;
  expect(last.told?.getTime() ?? null).toBe(told);
});

test('a process that has heard of no change tells when it began', () => {
  let now = SECOND + 250;
  const last = new LastChange(() => now);
  now += 5_000;
  expect(last.told).toEqual(new Date(SECOND));
});
