import { expect, test } from '@jest/globals';
import { sinceFirst } from './category-months.tsx';

const MONTHS = Array.from({ length: 24 }, (_, at) => `month ${at}`);
const rows = (first: number) => [
  { category: 'tech' as const, count: 3, months: MONTHS.map((_, at) => (at === first ? 3 : 0)) },
  { category: 'meme' as const, count: 1, months: MONTHS.map((_, at) => (at === 23 ? 1 : 0)) },
];

test.each([
  ['twelve months at least', 22, 12],
  ['since the first post', 8, 8],
  ['all', 0, 0],
])('months before the first post are not drawn: %s', (_, first, from) => {
  const shown = sinceFirst({ months: MONTHS, categories: rows(first) });
  expect(shown.months).toEqual(MONTHS.slice(from));
  expect(shown.categories.map(({ months }) => months)).toEqual(rows(first).map(({ months }) => months.slice(from)));
});

test('nor are all of them left out where there is no post', () => {
  expect(sinceFirst({ months: MONTHS, categories: [] }).months).toHaveLength(24);
});
