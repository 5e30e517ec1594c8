/** Why a payment that arrived could not be applied and became a credit. */
export const CREDIT_REASONS = [
  /** Another payment, or the team, featured the post first. */
  'already_featured',
  'post_removed',
  /** The memo names a post that the archive does not have. */
  'post_unknown',
  'too_little',
  /** The transaction has feature memos for different posts. */
  'several_posts',
  /** The tokens arrived without a transfer that their owner signed, for example by a delegate or a program. */
  'moved_otherwise',
  /** The payment was sent after the operators had stopped featuring. */
  'stopped',
  /** The operators have suspended the payer. */
  'suspended',
  /** The remainder of credits that were worth more than the price. */
  'change',
] as const;
export type CreditReason = (typeof CREDIT_REASONS)[number];

/** States of payments in the operators' list. A payment that became a credit has the credit's state. */
export const PAYMENT_LIST_STATES = [
  'confirmed',
  'applied',
  'finalized',
  /** The payer can use the credit, or will be able to when it is final. */
  'credit',
  /** Reserved for a refund. */
  'held',
  'refunded',
  /** Spent, or in the course of being spent. */
  'used',
  'dropped',
] as const;
export type PaymentListState = (typeof PAYMENT_LIST_STATES)[number];
