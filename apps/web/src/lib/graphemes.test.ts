import { describe, expect, test } from '@jest/globals';
import { cutGraphemes, firstGrapheme } from './graphemes.ts';

describe('cutGraphemes', () => {
  test('leaves a text of the limit alone', () => {
    expect(cutGraphemes('12345', 5)).toEqual({ text: '12345', wasCut: false });
  });

  test('never tears a family emoji, a flag or an accent', () => {
    const family = '👨‍👩‍👧‍👦';
    expect(cutGraphemes(`a${family}b`, 2)).toEqual({ text: `a${family}`, wasCut: true });
    expect(cutGraphemes('🇸🇪🇯🇵🇸🇪', 2)).toEqual({ text: '🇸🇪🇯🇵', wasCut: true });
    expect(cutGraphemes('e\u0301e\u0301e\u0301', 2)).toEqual({ text: 'e\u0301e\u0301', wasCut: true });
  });

  test('counts graphemes, not code units', () => {
    const text = '👩🏽‍🚀'.repeat(150);
    expect(cutGraphemes(text, 150)).toEqual({ text, wasCut: false });
    expect(cutGraphemes(`${text}!`, 150)).toEqual({ text, wasCut: true });
  });

  test('keeps line breaks inside and drops blanks at the cut', () => {
    expect(cutGraphemes('one\n\ntwo three', 9)).toEqual({ text: 'one\n\ntwo', wasCut: true });
  });
});

test('the first grapheme of a name is whole', () => {
  expect(firstGrapheme('👩‍🚀 Ada')).toBe('👩‍🚀');
  expect(firstGrapheme('')).toBe('');
});
