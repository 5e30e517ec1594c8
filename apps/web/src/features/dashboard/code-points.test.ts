import { expect, test } from '@jest/globals';
import { codePoints, cutCodePoints } from './code-points.ts';

test('an emoji of one code point counts one, and is never torn', () => {
  expect(codePoints('🌿a')).toBe(2);
  expect(cutCodePoints('🌿🌿🌿', 2)).toBe('🌿🌿');
  expect(cutCodePoints(`${'x'.repeat(499)}🌿🌿`, 500)).toBe(`${'x'.repeat(499)}🌿`);
  expect(cutCodePoints('short', 50)).toBe('short');
});
