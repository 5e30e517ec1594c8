import type { AdminPayment, Credit, CreditReason, PaymentListState } from '@archive/contracts';
import type { ObjectId } from 'mongodb';

/**
 * - `confirmed`: on chain, and its post is to be featured with it
 * - `applied`: its post is featured with it; `finalized`: and the chain will never take it back
 * - `credit`: on chain, and it could not be applied
 * - `dropped`: the chain took it back
 */
export type PaymentState = 'confirmed' | 'applied' | 'finalized' | 'credit' | 'dropped';

/** What became of one payment; one document per signature. */
export interface PaymentDocument {
  /** The transaction's first signature, in base58; of what was left of credits, `change:` and the use's id. */
  _id: string;
  state: PaymentState;
  payer: string;
  /** The token that was paid in, by its mint; credits of another one than is asked for now buy nothing. */
  mint: string | null;
  /** An integer string: MongoDB's numbers end below 2^64. */
  baseUnits: string;
  /** The post it is for, or was applied to. */
  post: ObjectId | null;
  reason: CreditReason | null;
  slot: number;
  /** When its block was made. */
  blockTime: Date | null;
  /** Since when a credit's payment cannot be taken back by the chain; until then nobody can use it. */
  finalizedAt: Date | null;
  /** Since when the chain does not show it any more. */
  missingSince: Date | null;
  /** The use of credits that holds this one. */
  use: string | null;
  usedOn: ObjectId | null;
  /** The transaction that paid a credit back, as the chain showed it. */
  refund?: { transaction: string; at: Date };
  createdAt: Date;
}

/** Somebody, or the watcher, says that a signature may be a payment; kept until the chain has told. */
export interface PaymentReport {
  /** Signature and wallet; the watcher has no wallet. */
  _id: string;
  signature: string;
  wallet: string | null;
  /** The post it is reported for: counts only for who paid, and only where the payment names none itself. */
  post: ObjectId | null;
  /** Block height at the first report: 151 blocks later an unknown signature can never land. */
  height: number | null;
  reportedAt: Date;
  /** Until then nobody asks the chain for it. */
  nextAt: Date;
  /** Of the address it was reported from; the watcher has none. */
  network: string | null;
  /** No node has shown it while it could have landed: it is looked for seldom, and takes nobody's place. */
  isExpired: boolean;
}

/** Credits of one wallet on their way to feature a post. */
export interface CreditUse {
  _id: string;
  wallet: string;
  post: ObjectId;
  /** Base units, an integer string. */
  price: string;
  credits: string[];
  /** `claiming` may still be given back; from `applying` on the post decides. */
  state: 'claiming' | 'applying' | 'applied' | 'releasing' | 'released';
  changedAt: Date;
}

/** `mint` is the token that is asked for now. */
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

/** Whether a credit is kept aside to be paid back, or was. */
export function isHeldForRefund(payment: PaymentDocument): payment is PaymentDocument & { use: string } {
  return payment.use?.startsWith('refunded:') ?? false;
}

/** As operators see it. */
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
