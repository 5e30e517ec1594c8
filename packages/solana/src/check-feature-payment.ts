import type { FeatureTerms, PaymentFacts } from './feature-terms.ts';

/** A payment that names no post must be reported within this time of its block. */
export const MEMOLESS_MAX_AGE_MS = 24 * 60 * 60 * 1000;

/** `too_old` and `undated` apply to payments that name no post. The API chooses the message for the payer. */
export type PaymentVerdict = 'ok' | 'other_payer' | 'other_post' | 'too_old' | 'undated' | 'too_little';

/**
 * Checks that a payment is by this wallet, for this post, and of at least this price. A payment without a feature memo
 * can be for any post, but only for `MEMOLESS_MAX_AGE_MS`. `now` is in milliseconds since 1970.
 */
export function checkFeaturePayment(
  facts: PaymentFacts,
  terms: Pick<FeatureTerms, 'payer' | 'postId' | 'baseUnits'>,
  now: number,
): PaymentVerdict {
  if (facts.payer !== terms.payer) return 'other_payer';
  if (facts.postId === null) {
    if (facts.blockTime === null) return 'undated';
    if (now - facts.blockTime * 1000 > MEMOLESS_MAX_AGE_MS) return 'too_old';
  } else if (facts.postId !== terms.postId) return 'other_post';
  return facts.baseUnits >= terms.baseUnits ? 'ok' : 'too_little';
}
