import type { Credit, Post } from '@archive/contracts';

/** How a payment ended, as far as this page is concerned. */
export type Outcome =
  | { kind: 'featured'; archive: Post }
  /** It arrived and could not be applied; `credit` is null where the server has not told it yet. */
  | { kind: 'credited'; message: string; credit: Credit | null }
  /** The network took it and it failed there: nothing was paid but the fee. */
  | { kind: 'failed' }
  /** It can never land any more. */
  | { kind: 'expired' }
  /** The node would not take it, so it was never sent. */
  | { kind: 'not_sent'; message: string }
  /** The server will not have it. */
  | { kind: 'refused'; message: string }
  /** Nobody is signed in any more; it goes on with the next sign-in. */
  | { kind: 'paused' }
  /** Another tab brought it to its end. */
  | { kind: 'elsewhere' };

/** What the server last said of the payment. */
export type ServerAnswer =
  /** Nothing certain: not confirmed yet, or no answer at all. */
  | { kind: 'pending' }
  /** No node of its own has seen the payment, and its blockhash is dead. */
  | { kind: 'not_found' }
  | { kind: 'post_gone'; message: string }
  | Extract<Outcome, { kind: 'featured' | 'credited' | 'refused' | 'paused' }>;

/** What the network last said of the payment. */
export interface ChainSight {
  /** Null where the node knows nothing of the signature; undefined where it did not answer. */
  status: { commitment: 'processed' | 'confirmed' | 'finalized'; hasFailed: boolean } | null | undefined;
  /** Whether a block that may hold it can still come. */
  mayLand: boolean;
  /**
   * Whether the finalized chain was past its last block before `status` was looked up in the whole history, by a node
   * that was as far.
   */
  isPast: boolean;
}

export type Step = { do: 'send' } | { do: 'wait' } | { do: 'end'; outcome: Outcome };

/** What to do next with a signed payment. It has expired only where the network and the server both say so. */
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

/** How far a payment has come. */
export const PHASES = ['sending', 'sent', 'confirmed', 'featured'] as const;
export type Phase = (typeof PHASES)[number];

/** How far it has come, seen what was seen before: nothing goes backwards on the page. */
export function furthestPhase(before: Phase, chain: ChainSight, server: ServerAnswer): Phase {
  const { status } = chain;
  let now: Phase = 'sending';
  if (server.kind === 'featured') now = 'featured';
  else if (status?.commitment === 'confirmed' || status?.commitment === 'finalized') now = 'confirmed';
  else if (status) now = 'sent';
  return PHASES.indexOf(now) > PHASES.indexOf(before) ? now : before;
}
