import { expect, test } from '@jest/globals';
import { CATEGORIES, CATEGORY_MENU } from './categories.ts';

test('the menu offers every category once', () => {
  expect(CATEGORY_MENU.toSorted()).toEqual([...CATEGORIES]);
});
