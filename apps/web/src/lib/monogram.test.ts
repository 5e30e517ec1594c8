import { expect, test } from '@jest/globals';
import { monogram } from './monogram.ts';
import { scriptOf, textSize } from './text-width.ts';

test('the letter is the first one people would read', () => {
  expect(monogram('ledger_lou.sol', 'ledger_lou').letter).toBe('L');
  expect(monogram('“Quoted” Name', 'q').letter).toBe('Q');
  expect(monogram('🌿', 'noor').letter).toBe('N');
  expect(monogram('高橋みどり', 'midori_t').letter).toBe('高');
  expect(monogram('', '').letter).toBe('?');
});

test('a handle always has the same tone, in any case', () => {
  expect(monogram('A', 'SameHandle').tone).toBe(monogram('B', 'samehandle').tone);
  for (const handle of ['a', 'b', 'c', 'd', 'long_handle_here']) {
    const { tone } = monogram('x', handle);
    expect(tone).toBeGreaterThanOrEqual(1);
    expect(tone).toBeLessThanOrEqual(6);
  }
});

test('short words are set large, and a wide character counts two', () => {
  expect(textSize('x'.repeat(40))).toBe('short');
  expect(textSize('x'.repeat(41))).toBe('medium');
  expect(textSize('月'.repeat(20))).toBe('short');
  expect(textSize('月'.repeat(21))).toBe('medium');
  expect(textSize('x'.repeat(101))).toBe('long');
});

test('of an address, what is longer than the short links of platforms counts', () => {
  expect(textSize('A walk https://t.co/abcdefghij')).toBe('short');
  expect(textSize(`A walk https://example.org/${'abcdefghij'.repeat(5)}`)).toBe('medium');
});

test('the first letter tells how lines are set', () => {
  expect(scriptOf('🌿 كانت')).toBe('arabic');
  expect(scriptOf('‏„שלום')).toBe('hebrew');
  expect(scriptOf('「百年」')).toBe('cjk');
  expect(scriptOf('plain 高')).toBe('other');
});
