import { expect, test } from '@jest/globals';
import { formatLength, mediaWords, missingWords } from './media-words.ts';

test.each([
  [102_000, '1:42'],
  [400, '0:01'],
  [59_600, '1:00'],
  [3_723_000, '1:02:03'],
])('%i ms are %s', (milliseconds, words) => {
  expect(formatLength(milliseconds)).toBe(words);
});

test('what there is, by kind', () => {
  expect(mediaWords([{ type: 'image' }])).toBe('1 picture');
  expect(mediaWords([{ type: 'image' }, { type: 'image' }], 'sensitive')).toBe('2 sensitive pictures');
  expect(mediaWords([{ type: 'image' }, { type: 'video' }])).toBe('2 pictures and videos');
});

test('what is missing is tried again for a week', () => {
  const savedAt = '2026-11-24T10:00:00.000Z';
  const now = Date.parse(savedAt);
  expect(missingWords({ savedAt }, now)).toBe('Not fetched yet. We keep trying until 1 Dec 2026.');
  expect(missingWords({ savedAt }, now + 7 * 86_400_000)).toBe('It could not be had.');
});
