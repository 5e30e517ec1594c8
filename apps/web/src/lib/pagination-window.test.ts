import { describe, expect, test } from '@jest/globals';
import { paginationWindow } from './pagination-window.ts';

describe('paginationWindow', () => {
  test.each([
    [1, 1, [1]],
    [1, 5, [1, 2, 3, 4, 5]],
    [1, 6, [1, 2, 3, 4, 5, 6]],
    [1, 257, [1, 2, 3, 4, 5, 'gap', 257]],
    [4, 257, [1, 2, 3, 4, 5, 6, 'gap', 257]],
    [5, 257, [1, 'gap', 3, 4, 5, 6, 7, 'gap', 257]],
    [254, 257, [1, 'gap', 252, 253, 254, 255, 256, 257]],
    [257, 257, [1, 'gap', 253, 254, 255, 256, 257]],
  ])('page %i of %i', (page, pages, expected) => {
    expect(paginationWindow(page, pages)).toEqual(expected);
  });

  test('a page past the end shows the last window', () => {
    expect(paginationWindow(99, 7)).toEqual([1, 'gap', 3, 4, 5, 6, 7]);
  });

  test('no pages, no numbers', () => {
    expect(paginationWindow(1, 0)).toEqual([]);
  });

  test('always five numbers in the window, each page once, in order', () => {
    for (let pages = 1; pages <= 30; pages += 1) {
      for (let page = 1; page <= pages; page += 1) {
        const numbers = paginationWindow(page, pages).filter((item) => item !== 'gap');
        expect(numbers).toContain(page);
        expect(numbers).toContain(1);
        expect(numbers).toContain(pages);
        expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
        expect(numbers.length).toBeGreaterThanOrEqual(Math.min(5, pages));
      }
    }
  });
});
