import type { SignatureStatus } from '@solana/web3.js';
import { type ChainSight, furthestPhase, nextStep, type Outcome, type Phase, type ServerAnswer } from './next-step.ts';
import type { JournalEntry } from './payment-journal.ts';

/** The part of a connection that following a payment needs. */
export interface PaymentNode {
  getBlockHeight(commitment: 'confirmed'): Promise<number>;
  getEpochInfo(commitment: 'finalized'): Promise<{ absoluteSlot: number; blockHeight?: number }>;
  getSignatureStatus(
    signature: string,
    config?: { searchTransactionHistory: boolean },
  ): Promise<{ context: { slot: number }; value: SignatureStatus | null }>;
  sendRawTransaction(bytes: Uint8Array, options: { skipPreflight: boolean; maxRetries: number }): Promise<string>;
}

export interface PaymentTools {
  node: PaymentNode;
  /** Asks the server about the payment; never rejects. */
  verify: () => Promise<ServerAnswer>;
  onPhase: (phase: Phase) => void;
  pause: (ms: number) => Promise<void>;
  now: () => number;
}

const TICK_MS = 1_000;
const RESEND_MS = 2_000;
/**
 * Milliseconds between questions to the server before the network confirms: the server's node may be ahead of the
 * page's.
 */
const VERIFY_EARLY_MS = 6_000;
const VERIFY_FIRST_MS = 1_000;
const VERIFY_LAST_MS = 15_000;

/**
 * Follows a signed payment to its end: resends the same bytes while they may land, watches the chain, and asks the
 * server until it has decided. With `isFresh` the bytes were never sent, so the node first simulates them.
 */
export async function runPayment(entry: JournalEntry, isFresh: boolean, tools: PaymentTools): Promise<Outcome> {
  const { verify, onPhase, pause, now } = tools;
  let phase = 'sending' as Phase;
  let isPast = false;
  let server: ServerAnswer = { kind: 'pending' };
  let verifyPause = VERIFY_FIRST_MS;
  let nextVerifyAt = isFresh ? now() + VERIFY_EARLY_MS : now();
  let nextSendAt = now();

  const reach = (next: Phase) => {
    if (next !== phase) onPhase(next);
    phase = next;
  };

  if (isFresh) {
    const answer = await sendFirst(entry, tools.node);
    if (answer === 'sent') reach('sent');
    else if (answer !== 'unknown') return answer;
    nextSendAt = now() + RESEND_MS;
  }
  for (;;) {
    const chain = await askNode(entry, tools.node);
    const wasConfirmed = phase === 'confirmed';
    reach(furthestPhase(phase, chain, server));
    if (phase === 'confirmed' && !wasConfirmed) nextVerifyAt = now();
    // Earlier answers of the server were not final, so ask again at once.
    if (chain.isPast && !isPast) nextVerifyAt = now();
    isPast ||= chain.isPast;
    if (now() >= nextVerifyAt) {
      server = await verify();
      reach(furthestPhase(phase, chain, server));
      const isUpToServer = phase === 'confirmed' || isPast;
      nextVerifyAt = now() + (isUpToServer ? verifyPause : VERIFY_EARLY_MS);
      if (isUpToServer) verifyPause = Math.min(verifyPause * 1.5, VERIFY_LAST_MS);
    }
    const step = nextStep(chain, server);
    if (step.do === 'end') return step.outcome;
    if (step.do === 'send' && now() >= nextSendAt) {
      await sendAgain(entry, tools.node);
      nextSendAt = now() + RESEND_MS;
    }
    await pause(TICK_MS);
  }
}

/** Sends for the first time with a simulation. The node does not forward a transaction that fails it. */
async function sendFirst(entry: JournalEntry, node: PaymentNode): Promise<Outcome | 'sent' | 'unknown'> {
  try {
    await node.sendRawTransaction(bytesOf(entry), { skipPreflight: false, maxRetries: 0 });
    return 'sent';
  } catch (error) {
    const reason = preflightRefusal(error);
    // Without an answer, the node may still have forwarded it.
    return reason === null ? 'unknown' : { kind: 'not_sent', message: reason };
  }
}

async function sendAgain(entry: JournalEntry, node: PaymentNode): Promise<void> {
  try {
    await node.sendRawTransaction(bytesOf(entry), { skipPreflight: true, maxRetries: 0 });
  } catch {
    // The next status check shows whether it arrived.
  }
}

/** Why the node's simulation refused the transaction; null if the node may have forwarded it or still may. */
export function preflightRefusal(error: unknown): string | null {
  if (!(error instanceof Error) || !('transactionError' in error)) return null;
  const { message, logs } = error.transactionError as { message: string; logs?: string[] };
  // Only a simulation returns logs.
  if (logs === undefined || /blockhash not found|already been processed/i.test(message)) return null;
  return 'The network would not take this payment. Nothing was sent.';
}

/** The node's view of the payment. The height is read first, so that a later "not found" is conclusive. */
async function askNode(entry: JournalEntry, node: PaymentNode): Promise<ChainSight> {
  const { signature, lastValidBlockHeight } = entry;
  try {
    const height = await node.getBlockHeight('confirmed');
    const { value } = await node.getSignatureStatus(signature);
    const mayLand = height <= lastValidBlockHeight;
    if (value !== null || mayLand) return { status: read(value), mayLand, isPast: false };
    const { absoluteSlot, blockHeight = 0 } = await node.getEpochInfo('finalized');
    const found = await node.getSignatureStatus(signature, { searchTransactionHistory: true });
    const isPast = blockHeight > lastValidBlockHeight && found.context.slot >= absoluteSlot;
    return { status: read(found.value), mayLand, isPast };
  } catch {
    return { status: undefined, mayLand: false, isPast: false };
  }
}

function read(status: SignatureStatus | null): ChainSight['status'] {
  return status && { commitment: status.confirmationStatus ?? 'processed', hasFailed: status.err !== null };
}

function bytesOf({ transaction }: JournalEntry): Uint8Array {
  return Uint8Array.from(atob(transaction), (letter) => letter.charCodeAt(0));
}
