import { expect, test } from '@jest/globals';
import { keptMedia, languageName, sourceWords } from './origin-words.ts';

const checkedAt = '2026-11-24T10:00:00.000Z';

test.each([
  ['live', checkedAt, 'last seen live 24 Nov 2026'],
  ['edited', checkedAt, 'edited by its author, seen 24 Nov 2026'],
  ['deleted', null, 'deleted by its author'],
  ['live', null, 'live'],
  ['unknown', checkedAt, 'not looked at again'],
] as const)('a source that is %s, looked at %s', (state, at, words) => {
  expect(sourceWords({ state, checkedAt: at })).toBe(words);
});

test('a language by its name, and a tag that names none as it is', () => {
  expect(languageName('pt-BR')).toBe('Brazilian Portuguese');
  expect(languageName('not a tag')).toBe('not a tag');
});

test('pictures are counted where there are any', () => {
  const picture = { type: 'image', url: null, preview: null, sha256: null, width: null, height: null } as const;
  const rest = { alt: null, durationMs: null, thumbhash: null };
  expect(keptMedia([])).toBeNull();
  expect(
    keptMedia([
      { ...picture, ...rest, missing: true },
      { ...picture, ...rest, missing: false },
    ]),
  ).toBe('1 of 2 kept');
});
