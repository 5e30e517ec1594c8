import type { ReactionType } from '@archive/contracts';
import { useSyncExternalStore } from 'react';
import { followers } from '../../lib/followers.ts';

/** A reaction without an answer yet. The page shows it until the answer arrives. */
export interface PendingReaction {
  type: ReactionType;
  isOn: boolean;
}

const pending = new Map<string, PendingReaction>();
const [subscribe, announce] = followers();

export function usePendingReaction(postId: string): PendingReaction | undefined {
  return useSyncExternalStore(subscribe, () => pending.get(postId));
}

/** Returns false if a reaction to this post is already pending. */
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
