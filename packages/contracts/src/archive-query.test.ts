import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cutFilterText, foldText } from './archive-query.ts';
import { ENDPOINTS } from './endpoints.ts';
import { RESERVED_IDS } from './index.ts';

test('text compares without regard to case and to how its accents are composed', () => {
  expect(foldText('CAFÉ')).toBe(foldText('cafe\u0301'));
  expect(foldText('ΟΔΌΣ')).toBe('οδός');
});

test("a filter's text is cut after 200 code points, never inside one", () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
      const cut = cutFilterText(text);
      expect(cut).toBe(Array.from(text).slice(0, 200).join(''));
      expect(cut.isWellFormed()).toBe(true);
    }),
  );
});

test('no literal segment of a path can be taken for the id of a post', () => {
  const segments = Object.values(ENDPOINTS).flatMap(({ path }) =>
    path.split('/').filter((part) => /^[a-z]/.test(part)),
  );
  expect(segments.filter((segment) => !RESERVED_IDS.has(segment))).toEqual([]);
});
