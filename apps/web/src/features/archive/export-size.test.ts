import { expect, test } from '@jest/globals';
import { archivePost } from '../../testing/archive-page.ts';
import { aboutBytes, exportBytes } from './export-size.ts';

test('an export is about as large as its posts', () => {
  const posts = [archivePost(1, { content: 'é'.repeat(100) }), archivePost(2, { content: '' })];
  const lines = posts.map((post) => `${JSON.stringify(post)}\n`).join('');
  expect(exportBytes(posts, 2, 'ndjson')).toBeCloseTo(new TextEncoder().encode(lines).length, -1);
  expect(exportBytes(posts, 2_000, 'csv') / exportBytes(posts, 2, 'csv')).toBeCloseTo(1_000, 0);
  expect(exportBytes([], 0, 'csv')).toBe(0);
});

test.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1_240, '1.2 kB'],
  [244_900_000, '245 MB'],
  [9_960_000_000_000, '9960 GB'],
])('%d bytes are said as %s', (bytes, words) => {
  expect(aboutBytes(bytes)).toBe(words);
});
