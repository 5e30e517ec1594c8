import { expect, test } from '@jest/globals';
import { addressOf } from './address.ts';

test('parameters fill the path, each as one segment', () => {
  expect(addressOf('getArchive', { params: { id: 'a/b?c' } })).toBe('/amber/archives/a%2Fb%3Fc');
  expect(addressOf('removeReaction', { params: { id: '1', reactionType: 'heart' } })).toBe('/amber/reactions/1/heart');
});

test('a query follows, without what is absent or empty', () => {
  expect(addressOf('config')).toBe('/amber/config');
  expect(addressOf('listArchives', { query: { search: 'a b&c', category: undefined, author: '' } })).toBe(
    '/amber/archives?search=a+b%26c',
  );
});
