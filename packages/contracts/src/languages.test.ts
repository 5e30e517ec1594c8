import { expect, test } from '@jest/globals';
import { isLanguageTag, primaryLanguage, readLanguage } from './languages.ts';

test.each([
  ['pt-BR', 'pt'],
  ['EN', 'en'],
  ['zh-Hant-TW', 'zh'],
  ['fil', 'fil'],
  // Old tags that X still sends.
  ['in', 'id'],
  ['iw-IL', 'he'],
])('%s is %s', (tag, language) => {
  expect(isLanguageTag(tag)).toBe(true);
  expect(primaryLanguage(tag)).toBe(language);
});

test.each(['', 'e', 'engl', 'en-', '-en', 'en_GB', 'en GB', '日本', `en${'-abcdefgh'.repeat(4)}`])(
  '%j is no language tag',
  (text) => {
    expect(isLanguageTag(text)).toBe(false);
  },
);

test.each([
  ['pt-BR', 'pt-BR'],
  ['English', 'en'],
  ['german', 'de'],
  ['Indonesian', 'id'],
  ['Thai', 'th'],
  ['Lao', 'lo'],
  ['Akan', 'ak'],
  ['fil', 'fil'],
  ['und', null],
  ['Klingonish', null],
  ['constructor', null],
  ['', null],
  [7, null],
])('%j says the language %j', (value, tag) => {
  expect(readLanguage(value)).toBe(tag);
});
