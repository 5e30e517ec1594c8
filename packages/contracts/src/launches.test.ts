import { describe, expect, test } from '@jest/globals';
import { tokenNameProblem, tokenSymbolProblem } from './launches.ts';

describe('a token’s name', () => {
  test.each([
    'Ada Token',
    'x',
    'Ада Токен',
    '琥珀',
    'عملة',
    '👩‍🚀 Token',
    'می‌خواهم',
    'a'.repeat(32),
    '琥'.repeat(10),
    'Symbol of Tweets',
    'With Love for Ada',
    '💎',
    '❤️ Token',
    'ᠮᠣᠩᠭᠣᠯ᠋',
  ])('%j may be signed', (name) => expect(tokenNameProblem(name)).toBeNull());

  test.each([
    ['', 'is required'],
    ['   ', 'is required'],
    ['\u00a0\u3000', 'is required'],
    ['a\nb', 'must be printable text on one line'],
    ['a\u2028b', 'must be printable text on one line'],
    ['a\u0000', 'must be printable text on one line'],
    ['a\u0085b', 'must be printable text on one line'],
    ['a\u202eb', 'must be printable text on one line'],
    ['a\u2066b', 'must be printable text on one line'],
    ['a\u200bb', 'must be printable text on one line'],
    ['a\ud800', 'must be printable text on one line'],
    ['a\ue000', 'must be printable text on one line'],
    ['a\u{e0041}', 'must be printable text on one line'],
    ['A\u034fda', 'must be printable text on one line'],
    ['A\u115fda', 'must be printable text on one line'],
    ['A\u3164da', 'must be printable text on one line'],
    ['A\u200d\u200dda', 'must be printable text on one line'],
    ['A\ufe0f\ufe0fda', 'must be printable text on one line'],
    ['\u2800\u2800', 'must hold a letter that can be seen'],
    ['\u0301\u0301', 'must hold a letter that can be seen'],
    ['a'.repeat(33), 'must be at most 32 bytes in UTF-8'],
    ['琥'.repeat(11), 'must be at most 32 bytes in UTF-8'],
    ['x with symbol X', 'must not read like the sentence that is signed'],
    ['x with symbol X for tweet 1', 'must not read like the sentence that is signed'],
    ['For Tweet 1', 'must not read like the sentence that is signed'],
    ['With  \u00a0SYMBOL', 'must not read like the sentence that is signed'],
    ['for\u3000tweet', 'must not read like the sentence that is signed'],
    ['with\u2800symbol', 'must not read like the sentence that is signed'],
    ['wi\u200dth sym\ufe0fbol', 'must not read like the sentence that is signed'],
    ['ｗｉｔｈ symbol', 'must not read like the sentence that is signed'],
  ])('%j %s', (name, problem) => expect(tokenNameProblem(name)).toBe(problem));
});

describe('a token’s symbol', () => {
  test.each(['ADA', 'ada', 'A1', '8LETTERS', '0'])('%j may be signed', (symbol) =>
    expect(tokenSymbolProblem(symbol)).toBeNull(),
  );

  test.each(['ß', 'ßßßß', 'ﬁ', 'NINELETTR', 'A B', 'A-B', 'А', '琥', '$', 'A\n'])('%j may not', (symbol) =>
    expect(tokenSymbolProblem(symbol)).toBe('must be 1 to 8 letters or digits (A–Z, 0–9)'),
  );

  test.each(['', ' '])('%j is missing', (symbol) => expect(tokenSymbolProblem(symbol)).toBe('is required'));
});
