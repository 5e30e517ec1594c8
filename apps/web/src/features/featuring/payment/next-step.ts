import type { Credit, Post } from '@archive/contracts';

/** How a payment ended for this page. */
export type Outcome =
  | { kind: 'featured'; archive: Post }
  /** The payment arrived but could not be applied. `credit` is null until the server reports the credit. */
  | { kind: 'credited'; message: string; credit: Credit | null }
  /** The transaction is on the chain and failed there: only the fee was paid. */
  | { kind: 'failed' }
  /** The transaction can no longer land. */
  | { kind: 'expired' }
  /** The node refused the transaction, so it was never sent. */
  | { kind: 'not_sent'; message: string }
  /** The server refuses the payment. */
  | { kind: 'refused'; message: string }
  /** The person signed out; the payment resumes at the next sign-in. */
  | { kind: 'paused' }
  /** Another tab finished it. */
  | { kind: 'elsewhere' };

/** The server's last answer about the payment. */
export type ServerAnswer =
  /** Not confirmed yet, or no answer. */
  | { kind: 'pending' }
  /** The server's nodes have not seen the payment, and its blockhash has expired. */
  | { kind: 'not_found' }
  | { kind: 'post_gone'; message: string }
  | Extract<Outcome, { kind: 'featured' | 'credited' | 'refused' | 'paused' }>;

/** What the RPC node last said about the payment. */
export interface ChainSight {
  /** Null if the node does not know the signature; undefined if the node did not answer. */
  status: { commitment: 'processed' | 'confirmed' | 'finalized'; hasFailed: boolean } | null | undefined;
  /** Whether a future block may still include the transaction. */
  mayLand: boolean;
  /**
   * Whether the finalized chain was past the transaction's last valid block before the node looked up `status` in its
   * whole history. The node itself must have been that far.
   */
  isPast: boolean;
}

export type Step = { do: 'send' } | { do: 'wait' } | { do: 'end'; outcome: Outcome };

/** The next step for a signed payment. It counts as expired only if both the network and the server say so. */
export function nextStep(chain: ChainSight, server: ServerAnswer): Step {
  const { status, mayLand, isPast } = chain;
  if (server.kind !== 'pending' && server.kind !== 'not_found' && server.kind !== 'post_gone') {
    return { do: 'end', outcome: server };
  }
  const isConfirmed = status?.commitment === 'confirmed' || status?.commitment === 'finalized';
  if (isConfirmed && status.hasFailed) return { do: 'end', outcome: { kind: 'failed' } };
  if (isConfirmed && server.kind === 'post_gone') {
    return { do: 'end', outcome: { kind: 'credited', message: server.message, credit: null } };
  }
  if (isConfirmed) return { do: 'wait' };
  if (status === null && isPast && server.kind === 'not_found') return { do: 'end', outcome: { kind: 'expired' } };
  return mayLand ? { do: 'send' } : { do: 'wait' };
}

/** The phases of a payment, in order. */
export const PHASES = ['sending', 'sent', 'confirmed', 'featured'] as const;
export type Phase = (typeof PHASES)[number];

/** The furthest phase seen so far: the page never goes back a phase. */
export function furthestPhase(before: Phase, chain: ChainSight, server: ServerAnswer): Phase {
  const { status } = chain;
  let now: Phase = 'sending';
  if (server.kind === 'featured') now = 'featured';
  else if (status?.commitment === 'confirmed' || status?.commitment === 'finalized') now = 'confirmed';
  else if (status) now = 'sent';
  return PHASES.indexOf(now) > PHASES.indexOf(before) ? now : before;
}
