import type { ReactionType } from '@archive/contracts';
import { useSyncExternalStore } from 'react';

/** A reaction on its way to the server: what the page shows until the answer is here. */
export interface PendingReaction {
  type: ReactionType;
  isOn: boolean;
}

const pending = new Map<string, PendingReaction>();
const listeners = new Set<() => void>();

export function usePendingReaction(postId: string): PendingReaction | undefined {
  return useSyncExternalStore(subscribe, () => pending.get(postId));
}

/** False where one is under way for this post: it is waited for. */
export function startPending(postId: string, reaction: PendingReaction): boolean {
  if (pending.has(postId)) return false;
  pending.set(postId, reaction);
  announce();
  return true;
}

export function endPending(postId: string): void {
  pending.delete(postId);
  announce();
}

function announce(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
