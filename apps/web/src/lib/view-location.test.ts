import { expect, test } from '@jest/globals';
import { backgroundOf } from './view-location.ts';

test('only a path of this site lies under a post', () => {
  expect(backgroundOf({ background: '/?page=2' })).toBe('/?page=2');
  expect(backgroundOf({ background: '/author/a%20b' })).toBe('/author/a%20b');
  expect(backgroundOf({ background: '//evil.example' })).toBeNull();
  expect(backgroundOf({ background: 'https://evil.example' })).toBeNull();
  expect(backgroundOf({ background: 7 })).toBeNull();
  expect(backgroundOf(null)).toBeNull();
});
