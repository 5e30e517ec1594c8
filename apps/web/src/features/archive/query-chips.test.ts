import { expect, test } from '@jest/globals';
import { queryChips } from './query-chips.ts';

const labels = (words: string) => queryChips(words).map(({ label }) => label);

test('chips say what was understood', () => {
  expect(labels('from:delta ferry OR crossing -"night bus" has:image since:2026-02-01 until:2026-08-31')).toEqual([
    'from @delta',
    'ferry or crossing',
    'without “night bus”',
    'with pictures',
    '1 Feb to 31 Aug 2026',
  ]);
  expect(labels('-from:lou category:tech lang:fr platform:bluesky -has:media is:deleted')).toEqual([
    'not from @lou',
    'category tech',
    'in French',
    'on Bluesky',
    'without media',
    'deleted by its author',
  ]);
  expect(labels('reactions:>10 reactions:<2 saved:<7d saved:>1w since:2025-12-31')).toEqual([
    'more than 10 reactions',
    'fewer than 2 reactions',
    'saved in the last 7 days',
    'saved more than 1 week ago',
    'from 31 Dec 2025',
  ]);
});

test('a chip is removed with its own words and no others', () => {
  const words = 'from:delta ferry OR crossing -bus since:2026-02-01 until:2026-08-31';
  expect(queryChips(words).map(({ rest }) => rest)).toEqual([
    'ferry OR crossing -bus since:2026-02-01 until:2026-08-31',
    'from:delta -bus since:2026-02-01 until:2026-08-31',
    'from:delta ferry OR crossing since:2026-02-01 until:2026-08-31',
    'from:delta ferry OR crossing -bus',
  ]);
});
