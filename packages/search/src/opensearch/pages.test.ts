import { expect, test } from '@jest/globals';
import { nextValues } from './pages.ts';

test('the next values begin with the last one and lie in the direction of the order', () => {
  const next = (sortOrder: 'asc' | 'desc', ...ends: (string | number)[]) =>
    nextValues({ sortBy: 'timestamp', sortOrder }, ...ends);
  expect(next('desc', 900, 800)).toEqual([{ range: { at: { gte: 600, lte: 800 } } }]);
  expect(next('asc', 800, 900)).toEqual([{ range: { at: { gte: 900, lte: 1_100 } } }]);
  expect(next('asc', 7, 7)).toEqual([{ range: { at: { gte: 7, lte: 7 } } }]);
  expect(next('asc', 'ada', 'bob')).toEqual([]);
});
