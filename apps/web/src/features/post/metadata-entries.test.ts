import { expect, test } from '@jest/globals';
import { metadataEntries } from './metadata-entries.ts';

test('keys are read as words and nested values by their path', () => {
  expect(
    metadataEntries({ quotedBy: '@lantern', lang_code: 'en', stats: { likes: 3, isPinned: true }, tags: ['a', 'b'] }),
  ).toEqual([
    { path: 'quotedBy', label: 'Quoted by', value: '@lantern' },
    { path: 'lang_code', label: 'Lang code', value: 'en' },
    { path: 'stats.likes', label: 'Stats, Likes', value: '3' },
    { path: 'stats.isPinned', label: 'Stats, Is pinned', value: 'Yes' },
    { path: 'tags', label: 'Tags', value: 'a, b' },
  ]);
});

test('nothing is shown for what is empty', () => {
  expect(metadataEntries({ a: null, b: '', c: {} })).toEqual([]);
});

test('what is shown by itself is not shown again', () => {
  expect(metadataEntries({ language: 'fr', stats: { language: 'fr' } }, ['language'])).toEqual([
    { path: 'stats.language', label: 'Stats, Language', value: 'fr' },
  ]);
});
