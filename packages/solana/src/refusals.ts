import type { PaymentFacts } from './feature-terms.ts';

/** Why a transaction is not a payment, with the sentence for its payer. */
export const REFUSALS = {
  pending: 'The network has not confirmed this transaction yet.',
  failed: 'This transaction failed on the network, so nothing was paid.',
  unreadable: 'The record of this transaction is incomplete or of an unknown version.',
  not_received: 'Nothing of this token arrived at the receiving wallet in this transaction.',
  wrong_account: 'The account that was paid is not the receiving wallet’s account of this token.',
  account_changed: 'This transaction also changes who controls the receiving account.',
  not_understood: 'This transaction does something to the receiving account that is not understood here.',
  no_transfer: 'This transaction holds no transfer of this token to the receiving wallet.',
  not_signed: 'The tokens were not moved by the wallet that owns them.',
  self_payment: 'Dev wallet cannot be the same as your wallet',
  not_debited: 'The wallet that signed did not give up the tokens that arrived.',
  moved_otherwise: 'These tokens arrived, but not by a transfer that their owner signed.',
  several_posts: 'This payment names several posts.',
} as const;

export type RefusalCode = keyof typeof REFUSALS;

/** Tokens that arrived but feature no post by themselves. */
type Received = 'several_posts' | 'moved_otherwise';

/**
 * `pending` and `unreadable` may disappear on a retry or with another node; the others are final. With `several_posts`
 * and `moved_otherwise` tokens arrived, so these carry the facts; the former names no post.
 */
export type Refusal =
  | { code: Exclude<RefusalCode, Received>; message: string }
  | { code: Received; message: string; facts: PaymentFacts };

export function refuse(code: Exclude<RefusalCode, Received>): Refusal {
  return { code, message: REFUSALS[code] };
}

export function receive(code: Received, facts: PaymentFacts): Refusal {
  return { code, message: REFUSALS[code], facts };
}

export function isRefusal(result: PaymentFacts | Refusal): result is Refusal {
  return 'code' in result;
}
