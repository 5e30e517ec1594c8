import { useSyncExternalStore } from 'react';
import { followers } from '../../../lib/followers.ts';
import type { Outcome, Phase } from './next-step.ts';
import type { JournalEntry } from './payment-journal.ts';

/** A payment of this tab, unfinished or ended. It continues when its sheet is closed. */
export interface PaymentProgress {
  entry: JournalEntry;
  phase: Phase;
  outcome: Outcome | null;
}

const progress = new Map<string, PaymentProgress>();
const [subscribe, announce] = followers();
/** Posts whose payment is on screen, so that no toast announces its end. */
const watched = new Set<string>();

export function usePaymentProgress(postId: string): PaymentProgress | null {
  return useSyncExternalStore(subscribe, () => progress.get(postId) ?? null);
}

export function paymentProgress(postId: string): PaymentProgress | null {
  return progress.get(postId) ?? null;
}

export function setPaymentProgress(next: PaymentProgress): void {
  progress.set(next.entry.postId, next);
  announce();
}

export function forgetPaymentProgress(postId: string): void {
  progress.delete(postId);
  announce();
}

/** Marks a post's payment as on screen. Returns the function that unmarks it. */
export function watchPayment(postId: string): () => void {
  watched.add(postId);
  return () => watched.delete(postId);
}

export function isWatched(postId: string): boolean {
  return watched.has(postId);
}
