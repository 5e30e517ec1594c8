import { expect, test } from '@jest/globals';
import { type MonthCounts, packMonths, unpackMonths } from './month-counts.ts';

test.each<[string, MonthCounts, MonthCounts]>([
  ['nothing', new Map(), new Map()],
  [
    'months in any order',
    new Map([
      [680, 3],
      [-23_640, 1],
      [679, 5_000_000_000],
      [96_000, 127],
    ]),
    new Map([
      [-23_640, 1],
      [679, 5_000_000_000],
      [680, 3],
      [96_000, 127],
    ]),
  ],
  [
    'months without posts',
    new Map([
      [1, 0],
      [2, 128],
    ]),
    new Map([[2, 128]]),
  ],
])('%s come back as they went in', (_, given, back) => {
  expect([...unpackMonths(packMonths(given))]).toEqual([...back]);
});

test('a month after the other takes two bytes where few posts are in each', () => {
  const counts = new Map(Array.from({ length: 120 }, (_, index) => [600 + index, 1 + index]));
  expect(packMonths(counts).length).toBeLessThanOrEqual(2 * 120 + 3);
});
