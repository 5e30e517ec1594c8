import type { FeatureTerms, PaymentFacts } from './feature-terms.ts';

/** A payment that names no post must be reported within this time of its block. */
export const MEMOLESS_MAX_AGE_MS = 24 * 60 * 60 * 1000;

/** `too_old` and `undated` are of payments that name no post. What a payer is told is the API's to say. */
export type PaymentVerdict = 'ok' | 'other_payer' | 'other_post' | 'too_old' | 'undated' | 'too_little';

/**
 * Whether a payment is this wallet's, for this post, of at least this price. One without a memo of ours can be for any
 * post, but not for long. `now` is in milliseconds since 1970.
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
