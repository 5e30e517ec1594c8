import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { foldText, handlePart } from './fold.ts';

test.each([
  ['CAFÉ', 'cafe'],
  ['cafe\u0301', 'cafe'],
  ['ΆΝΘΡΩΠΟΣ', 'ανθρωπος'],
  ['Ёлка ёж', 'елка еж'],
  ['Йод', 'йод'],
  ['ø Ł ß', 'ø ł ß'],
  ['It’s ‘so’ ʼn', "it's 'so' 'n"],
  ['“Quoted”', '"quoted"'],
  ['ＡＢＣ！？～＠', 'abc!?~@'],
  ['Ｅ\u0301', 'e'],
  ['İstanbul', 'istanbul'],
  ['a\u0323\u0301\u0302b', 'ab'],
  // In other scripts marks distinguish words.
  ['が ガ', 'が ガ'],
  ['\u05d0\u05b7', '\u05d0\u05b7'],
  ['1\u0301', '1\u0301'],
  ['\ufb01', '\ufb01'],
])('%s is looked for as %s', (text, folded) => {
  expect(foldText(text)).toBe(folded);
});

test('what is folded stays as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
      const once = foldText(text);
      expect(foldText(once)).toBe(once);
    }),
    { numRuns: 2_000 },
  );
});

test('@ and something looks for handles', () => {
  expect(handlePart('@lou')).toBe('lou');
  expect(handlePart('@')).toBeUndefined();
  expect(handlePart('lou@home')).toBeUndefined();
});
