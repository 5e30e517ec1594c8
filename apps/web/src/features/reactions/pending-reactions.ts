import type { ReactionType } from '@archive/contracts';
import { useSyncExternalStore } from 'react';
import { followers } from '../../lib/followers.ts';

/** A reaction on its way to the server: what the page shows until the answer is here. */
export interface PendingReaction {
  type: ReactionType;
  isOn: boolean;
}

const pending = new Map<string, PendingReaction>();
const [subscribe, announce] = followers();

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
