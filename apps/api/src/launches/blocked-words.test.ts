import { expect, test } from '@jest/globals';
import { findBlockedWord } from './blocked-words.ts';

test.each([
  'Bitcoin',
  'b i t c o i n',
  'BİTCOIN',
  'B1TC0IN',
  'Вitсоin',
  'ｂｉｔｃｏｉｎ',
  'USDC',
  'SOI',
  'Nazi Token',
  'the n4zi',
  'the na2i',
  'my na\u200dzi token',
  'my na\u2065zi token',
  'Bit\u115fcoin',
  'Bitc\u3164oin',
  'Bıtcoın',
  'ʙɪᴛᴄᴏɪɴ',
  'Ѕоӏаnа',
  'So|ana',
  'Pһantom',
  '8TC',
  'Tєtһer',
  'bitсօin',
  '🅱itcoin',
  'ⒷⒾⓉⒸⓄⒾⓃ',
  'Solana Official',
  'S0lana Official',
  'official s o l a n a',
  'Solana0fficia1',
  'Official Solana Token',
  'The Official USD Coin',
  'Bitcoin Foundation',
  'Amber Labs',
  'Verified Phantom',
])('%j is blocked', (text) => expect(findBlockedWord(text, [])).not.toBeNull());

test.each([
  'Ada Token',
  'Solar',
  'Bitcoin Pizza',
  'Nazira',
  'Amber Alert',
  'Amber Token',
  'Official Ada Token',
  'Official Solar',
  'Labs',
  'Slabs of Sol',
  'Ambergris',
  'Ада Токен',
  'Nazım',
  '2026',
  '琥珀',
  'SOLO',
  '💎',
  '',
])('%j is not', (text) => expect(findBlockedWord(text, [])).toBeNull());

test('an operator’s words are refused where they stand alone or as the whole', () => {
  expect(findBlockedWord('My Evil Corp Token', ['evil corp'])).toBe('evil corp');
  expect(findBlockedWord('EVILCORP', ['evil corp'])).toBe('evil corp');
  expect(findBlockedWord('Devil Corporation', ['evil corp', ' '])).toBeNull();
});
