import { ApiError } from '@archive/client';
import type { Post } from '@archive/contracts';
import type { Connection } from '@solana/web3.js';
import type { ScopedMutator } from 'swr';
import { callApi } from '../../../lib/api.ts';
import { withTimeout } from '../../../lib/with-timeout.ts';
import { showToast } from '../../../ui/toasts.tsx';
import { endDeadSession } from '../../../wallet/session.ts';
import { PlainError, SESSION_ENDED } from '../../../wallet/wallet-errors.ts';
import { walletState } from '../../../wallet/wallet-store.ts';
import { openConnection } from './connection.ts';
import { outcomeSentence } from './feature-errors.ts';
import type { Outcome, Phase, ServerAnswer } from './next-step.ts';
import { isInJournal, type JournalEntry, removeEntry } from './payment-journal.ts';
import { withPaymentLock } from './payment-lock.ts';
import { isWatched, paymentProgress, setPaymentProgress } from './payment-progress.ts';
import { runPayment } from './run-payment.ts';
import { showFeatured } from './show-featured.ts';

const FEATURED = 'Your payment arrived: the post is featured.';

/** Resumes one payment, or waits for the tab that follows it. Does nothing if this tab follows it already. */
export async function resumePayment(entry: JournalEntry, rpcUrl: string, mutate: ScopedMutator): Promise<void> {
  const known = paymentProgress(entry.postId);
  if (known?.entry.signature === entry.signature && known.outcome === null) return;
  setPaymentProgress({ entry, phase: 'sending', outcome: null });
  await withPaymentLock(entry, true, () => followPayment(entry, false, openConnection(rpcUrl), mutate));
}

/** Follows a journaled payment to its end and shows the outcome. The caller holds the payment's lock. */
export async function followPayment(
  entry: JournalEntry,
  isFresh: boolean,
  connection: Connection,
  mutate: ScopedMutator,
): Promise<void> {
  let phase: Phase = 'sending';
  setPaymentProgress({ entry, phase, outcome: null });
  const outcome: Outcome = isInJournal(entry)
    ? await runPayment(entry, isFresh, {
        node: connection,
        verify: () => askServer(entry),
        onPhase: (reached) => {
          phase = reached;
          setPaymentProgress({ entry, phase, outcome: null });
        },
        pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
        now: () => performance.now(),
      })
    : { kind: 'elsewhere' };
  if (outcome.kind !== 'paused') removeEntry(entry);
  await showFeatured(outcome.kind === 'featured' ? outcome.archive : null, mutate);
  setPaymentProgress({ entry, phase, outcome });
  if (!isWatched(entry.postId)) announce(outcome);
}

/**
 * Reports a payment to the server. Resolves to the featured post, or to null while the network has not confirmed it.
 */
export async function reportPayment({ postId, signature, wallet }: JournalEntry): Promise<Post | null> {
  const token = sessionOf(wallet);
  if (token === null) throw new PlainError(SESSION_ENDED);
  const body = { amberId: postId, transaction: signature };
  const result = await withTimeout(callApi('verifyFeature', { token, body }));
  return result.success ? result.archive : null;
}

async function askServer(entry: JournalEntry): Promise<ServerAnswer> {
  if (sessionOf(entry.wallet) === null) return { kind: 'paused' };
  try {
    const archive = await reportPayment(entry);
    return archive === null ? { kind: 'pending' } : { kind: 'featured', archive };
  } catch (error) {
    endDeadSession(error);
    return serverAnswer(error);
  }
}

/** The session token, if this wallet is signed in. The server accepts a payment from its payer only. */
function sessionOf(wallet: string): string | null {
  const { token, user } = walletState();
  return user?.walletAddress === wallet ? token : null;
}

/** What a server's error means for a payment. An error that may go away later counts as no answer. */
export function serverAnswer(error: unknown): ServerAnswer {
  if (!(error instanceof ApiError)) return { kind: 'pending' };
  const { status, code, message, credit } = error;
  if (credit !== undefined) return { kind: 'credited', message, credit };
  if (status === 401) return { kind: 'paused' };
  if (code === 'post_not_found' || code === 'post_removed') return { kind: 'post_gone', message };
  if (code === 'payment_not_found') return { kind: 'not_found' };
  if (code === 'payment_refused' || code === 'payment_used') return { kind: 'refused', message };
  return { kind: 'pending' };
}

function announce(outcome: Outcome): void {
  if (outcome.kind === 'featured') showToast('done', FEATURED);
  else if (outcome.kind !== 'elsewhere' && outcome.kind !== 'paused') showToast('error', outcomeSentence(outcome));
}
