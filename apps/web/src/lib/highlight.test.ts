import { describe, expect, test } from '@jest/globals';
import { highlightParts } from './highlight.ts';

const matches = (text: string, ...terms: string[]) =>
  highlightParts(text, terms)
    .filter(({ isMatch }) => isMatch)
    .map((part) => part.text);

describe('highlightParts', () => {
  test('finds every occurrence whatever the case, and loses no letter', () => {
    expect(matches('Kept, kept, KEPT', 'kept')).toEqual(['Kept', 'kept', 'KEPT']);
    const text = 'The web kept nothing.\nPeople kept it.';
    expect(
      highlightParts(text, ['KEPT'])
        .map((part) => part.text)
        .join(''),
    ).toBe(text);
  });

  test('stays in place behind letters whose lower case is longer', () => {
    expect(matches('İİİ kept', 'kept')).toEqual(['kept']);
    expect(matches('İstanbul', 'i')).toEqual(['İ']);
  });

  test('stays in place behind decomposed accents', () => {
    expect(matches('cafe\u0301 noir', 'é n')).toEqual(['e\u0301 n']);
    expect(matches('café noir', 'e\u0301')).toEqual(['é']);
  });

  test('finds what the search finds, whatever accents, quotation marks and widths', () => {
    expect(matches('Un café, it’s “ＯＫ”', 'cafe', "it's", '"ok"')).toEqual(['café', 'it’s', '“ＯＫ”']);
    expect(matches('\u{1F9D1}\u200D\u{1F33E} Ёлка \u{1F33F} café', 'елка \u{1F33F} café')).toEqual([
      'Ёлка \u{1F33F} café',
    ]);
  });

  test('finds a word in capitals that ends in sigma', () => {
    expect(matches('ΟΔΟΣ', 'οδος')).toEqual(['ΟΔΟΣ']);
    expect(matches('ΟΔΟΣ ΟΔΟΣΑ', 'οδοσ')).toEqual(['ΟΔΟΣ', 'ΟΔΟΣ']);
  });

  test('takes nothing as a pattern', () => {
    expect(matches('a.*b axxb', '.*')).toEqual(['.*']);
    expect(matches('100% (sure)', '(')).toEqual(['(']);
  });

  test('joins overlapping terms into one mark', () => {
    expect(matches('archive', 'arch', 'chiv')).toEqual(['archiv']);
  });

  test('marks nothing for empty terms', () => {
    expect(highlightParts('words', ['', ''])).toEqual([{ text: 'words', isMatch: false }]);
  });
});
