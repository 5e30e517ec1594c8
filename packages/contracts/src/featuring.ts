/** Why a payment that arrived could not be applied. */
export const CREDIT_REASONS = [
  /** Another payment, or the team, was first. */
  'already_featured',
  'post_removed',
  /** The memo names a post that the archive does not have. */
  'post_unknown',
  'too_little',
  /** Memos of ours that name different posts. */
  'several_posts',
  /** It came without a transfer that its owner signed, as by a delegate or a program. */
  'moved_otherwise',
  /** It was sent after featuring was stopped by the operators. */
  'stopped',
  /** Its payer was suspended by the operators. */
  'suspended',
  /** What was left of credits that were worth more than the price. */
  'change',
] as const;
export type CreditReason = (typeof CREDIT_REASONS)[number];

/** As operators look at payments; of credits, what may still become of them. */
export const PAYMENT_LIST_STATES = [
  'confirmed',
  'applied',
  'finalized',
  /** Its payer can use it, or will once it is final. */
  'credit',
  /** Kept aside to be paid back. */
  'held',
  'refunded',
  /** Spent, or being spent. */
  'used',
  'dropped',
] as const;
export type PaymentListState = (typeof PAYMENT_LIST_STATES)[number];
