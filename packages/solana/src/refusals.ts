import type { PaymentFacts } from './feature-terms.ts';

/** Why a transaction is no payment, each with the sentence for its payer. */
export const REFUSALS = {
  pending: 'The network has not confirmed this transaction yet.',
  failed: 'This transaction failed on the network, so nothing was paid.',
  unreadable: 'The record of this transaction is incomplete or of an unknown version.',
  not_received: 'Nothing of this token arrived at the receiving wallet in this transaction.',
  wrong_account: 'The account that was paid is not the receiving wallet’s account of this token.',
  account_changed: 'This transaction also changes who controls the receiving account.',
  not_understood: 'This transaction does something to the receiving account that is not understood here.',
  no_transfer: 'This transaction holds no checked transfer of this token to the receiving wallet.',
  not_signed: 'The tokens were not moved by the wallet that owns them.',
  self_payment: 'Dev wallet cannot be the same as your wallet',
  not_debited: 'The wallet that signed did not give up the tokens that arrived.',
  several_posts: 'This payment names several posts.',
} as const;

export type RefusalCode = keyof typeof REFUSALS;

/**
 * `pending` and `unreadable` may be gone on another try or another node; the rest are final. `several_posts` is money well
 * received, so it carries its facts, without a post.
 */
export type Refusal =
  | { code: Exclude<RefusalCode, 'several_posts'>; message: string }
  | { code: 'several_posts'; message: string; facts: PaymentFacts };

export function refuse(code: Exclude<RefusalCode, 'several_posts'>): Refusal {
  return { code, message: REFUSALS[code] };
}

export function isRefusal(result: PaymentFacts | Refusal): result is Refusal {
  return 'code' in result;
}
