import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { FEATURE_MEMO_BYTES, featureMemo, parseFeatureMemo } from './feature-memo.ts';

const postIds = fc.stringMatching(/^[0-9a-f]{24}$/);

test('a memo names a post, and only what was made is read back', () => {
  expect(featureMemo('0123456789abcdef01234567')).toBe('amber:feature:0123456789abcdef01234567');
  fc.assert(
    fc.property(postIds, (postId) => {
      const memo = featureMemo(postId);
      expect(new TextEncoder().encode(memo)).toHaveLength(FEATURE_MEMO_BYTES);
      expect(parseFeatureMemo(memo)).toBe(postId);
    }),
  );
  fc.assert(fc.property(fc.string(), (text) => expect(parseFeatureMemo(text)).toBeNull()));
});

test('a memo is made of nothing but a post’s _id', () => {
  for (const wrong of [
    '',
    '1234567890',
    '0123456789ABCDEF01234567',
    '0123456789abcdef012345678',
    '0123456789abcdef0123456g',
  ]) {
    expect(() => featureMemo(wrong)).toThrow(TypeError);
  }
});
