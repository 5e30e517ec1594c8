import { expect, test } from '@jest/globals';
import { checkFeaturePayment } from './check-feature-payment.ts';
import type { PaymentFacts } from './feature-terms.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const now = 1_795_000_000_000;
const facts: PaymentFacts = {
  signature: 'signature',
  payer: 'payer',
  baseUnits: 1_000_000n,
  postId: '0123456789abcdef01234567',
  slot: 1,
  blockTime: now / 1000,
};
const terms = { payer: 'payer', postId: '0123456789abcdef01234567', baseUnits: 1_000_000n };
const memoless = { ...facts, postId: null };

test('a payment by this wallet, for this post, of the price or more, is right at any age', () => {
  expect(checkFeaturePayment(facts, terms, now)).toBe('ok');
  expect(checkFeaturePayment({ ...facts, baseUnits: 2_000_000n }, terms, now + 400 * DAY_MS)).toBe('ok');
  expect(checkFeaturePayment({ ...facts, blockTime: null }, terms, now)).toBe('ok');
});

test('one base unit short is too little', () => {
  expect(checkFeaturePayment({ ...facts, baseUnits: 999_999n }, terms, now)).toBe('too_little');
});

test('another wallet’s payment and another post’s payment are refused, whatever they paid', () => {
  expect(checkFeaturePayment({ ...facts, payer: 'other', baseUnits: 10n ** 12n }, terms, now)).toBe('other_payer');
  expect(checkFeaturePayment({ ...facts, postId: 'fedcba9876543210fedcba98' }, terms, now)).toBe('other_post');
});

test('a payment that names no post is right for 24 hours', () => {
  expect(checkFeaturePayment(memoless, terms, now)).toBe('ok');
  expect(checkFeaturePayment(memoless, terms, now + DAY_MS)).toBe('ok');
  expect(checkFeaturePayment(memoless, terms, now + DAY_MS + 1)).toBe('too_old');
  expect(checkFeaturePayment({ ...memoless, blockTime: null }, terms, now)).toBe('undated');
  // A node's clock may be ahead of the server's.
  expect(checkFeaturePayment(memoless, terms, now - 5_000)).toBe('ok');
});

test('a payment that names no post is still another wallet’s, or too little', () => {
  expect(checkFeaturePayment({ ...memoless, payer: 'other' }, terms, now)).toBe('other_payer');
  expect(checkFeaturePayment({ ...memoless, baseUnits: 1n }, terms, now)).toBe('too_little');
});
