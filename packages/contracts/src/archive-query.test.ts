import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cutFilterText, isDay, readFilters } from './archive-query.ts';

test("a filter's text is cut after 200 code points, never inside one", () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 150, maxLength: 300, size: 'max' }), (text) => {
      const cut = cutFilterText(text);
      expect(cut).toBe(Array.from(text).slice(0, 200).join(''));
      expect(cut.isWellFormed()).toBe(true);
    }),
  );
});

test('a day is a real one', () => {
  expect(isDay('2024-02-29')).toBe(true);
  expect(isDay('2026-02-29')).toBe(false);
  expect(isDay('2026-13-01')).toBe(false);
  expect(isDay('20.11.2026')).toBe(false);
});

test('filters are read from an address, and what is wrong in it counts as absent', () => {
  const address = 'search=+kept+&author=&handle=Lou&category=tech&startDate=2026-02-30&endDate=2026-02-28&page=2';
  expect(readFilters(new URLSearchParams(address))).toEqual({
    search: 'kept',
    handle: 'Lou',
    category: 'tech',
    endDate: '2026-02-28',
  });
  expect(readFilters(new URLSearchParams('category=sports&search=%20'))).toEqual({});
});
