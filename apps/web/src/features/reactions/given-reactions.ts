import type { GivenReaction, ReactionType } from '@archive/contracts';
import { ASKED_ONCE } from '../../lib/use-config.ts';
import { useSessionAnswer } from '../../wallet/session-answer.ts';

/** All reactions of the signed-in person, newest first. They are loaded once per session and updated by each answer. */
export function useGivenReactions() {
  const { data, error } = useSessionAnswer('userReactions', ASKED_ONCE);
  return { given: data, error };
}

const sets = new WeakMap<readonly GivenReaction[], ReadonlySet<string>>();

export function hasGiven(given: readonly GivenReaction[] | undefined, postId: string, type: ReactionType): boolean {
  if (given === undefined) return false;
  let set = sets.get(given);
  if (set === undefined) {
    set = new Set(given.map(({ archiveId, reactionType }) => `${archiveId} ${reactionType}`));
    sets.set(given, set);
  }
  return set.has(`${postId} ${type}`);
}
