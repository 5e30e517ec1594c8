import { expect, test } from '@jest/globals';
import { queryWords } from './query-words.ts';

test.each([
  ['search=two+words', 'two words'],
  ['q=has:link+lang:fr', 'has:link lang:fr'],
  ['handle=noor&startDate=2026-02-01&endDate=2026-02-03', 'from:noor since:2026-02-01 until:2026-02-03'],
  ['language=fr&media=image&category=tech', 'lang:fr has:image category:tech'],
])('%s is written as %s', (query, words) => {
  expect(queryWords(query)).toBe(words);
});
