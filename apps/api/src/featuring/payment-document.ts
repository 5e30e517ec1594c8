import type { AdminPayment, Credit, CreditReason, PaymentListState } from '@archive/contracts';
import type { ObjectId } from 'mongodb';

/**
 * - `confirmed`: on the chain; its post is not featured yet
 * - `applied`: its post is featured; `finalized`: and the chain can no longer drop the payment
 * - `credit`: on the chain, but it could not be applied
 * - `dropped`: the chain dropped it
 */
export type PaymentState = 'confirmed' | 'applied' | 'finalized' | 'credit' | 'dropped';

/** One payment; one document for each signature. */
export interface PaymentDocument {
  /** The transaction's first signature, in base58. For the change of used credits: `change:` and the id of the use. */
  _id: string;
  state: PaymentState;
  payer: string;
  /** The mint of the paid token. Credits of another token than the current one cannot be used. */
  mint: string | null;
  /** An integer as a string, since MongoDB has no unsigned 64-bit integers. */
  baseUnits: string;
  /** The post that the payment is for, or was applied to. */
  post: ObjectId | null;
  reason: CreditReason | null;
  slot: number;
  /** The time of its block. */
  blockTime: Date | null;
  /** Since when the payment is final. A credit cannot be used before that. */
  finalizedAt: Date | null;
  /** Since when the chain no longer shows the payment. */
  missingSince: Date | null;
  /** The use of credits, or the refund, that holds this credit. */
  use: string | null;
  usedOn: ObjectId | null;
  /** The transaction that paid the credit back, as the chain showed it. */
  refund?: { transaction: string; at: Date };
  createdAt: Date;
}

/** A claim by a wallet or the watcher that a signature may be a payment; kept until the chain has answered. */
export interface PaymentReport {
  /** Signature and wallet; reports of the watcher have no wallet. */
  _id: string;
  signature: string;
  wallet: string | null;
  /** The reported post. Counts only if the reporter is the payer and the payment itself names no post. */
  post: ObjectId | null;
  /** Block height at the first report. 151 blocks later, an unknown signature can never land. */
  height: number | null;
  reportedAt: Date;
  /** The chain is not asked about it before this time. */
  nextAt: Date;
  /** The network of the reporter's address; null for the watcher. */
  network: string | null;
  /**
   * No node has shown the transaction while it could land. The report is then checked seldom and does not count against
   * the limits.
   */
  isExpired: boolean;
}

/** A use of one wallet's credits to feature a post. */
export interface CreditUse {
  _id: string;
  wallet: string;
  post: ObjectId;
  /** Base units as an integer string. */
  price: string;
  credits: string[];
  /** A use can be taken back while it is `claiming`. From `applying` on, the state of the post decides. */
  state: 'claiming' | 'applying' | 'applied' | 'releasing' | 'released';
  changedAt: Date;
}

/** The public form of a credit. `mint` is the token that is accepted now. */
export function toCredit(payment: PaymentDocument, mint: string | undefined): Credit {
  return {
    _id: payment._id,
    baseUnits: payment.baseUnits,
    reason: payment.reason ?? 'already_featured',
    transaction: payment._id,
    createdAt: payment.createdAt.toISOString(),
    usedOn: payment.usedOn?.toHexString() ?? null,
    usable: payment.state === 'credit' && payment.finalizedAt !== null && payment.use === null && payment.mint === mint,
  };
}

/** Whether a credit is held for a refund, or was refunded. */
export function isHeldForRefund(payment: PaymentDocument): payment is PaymentDocument & { use: string } {
  return payment.use?.startsWith('refunded:') ?? false;
}

/** The form for operators. */
export function toAdminPayment(payment: PaymentDocument): AdminPayment {
  const { _id, payer, mint, baseUnits, reason, post, usedOn, finalizedAt, createdAt, refund } = payment;
  return {
    _id,
    state: listState(payment),
    payer,
    mint,
    baseUnits,
    reason,
    archiveId: post?.toHexString() ?? null,
    usedOn: usedOn?.toHexString() ?? null,
    isFinal: finalizedAt !== null,
    createdAt: createdAt.toISOString(),
    refund: refund ? { transaction: refund.transaction, at: refund.at.toISOString() } : null,
  };
}

function listState(payment: PaymentDocument): PaymentListState {
  if (payment.state !== 'credit') return payment.state;
  if (payment.refund) return 'refunded';
  if (isHeldForRefund(payment)) return 'held';
  return payment.use === null ? 'credit' : 'used';
}
