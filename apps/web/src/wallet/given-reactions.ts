import { ENDPOINTS, type GivenReaction, type ReactionType } from '@archive/contracts';
import useSWRImmutable from 'swr/immutable';
import { callApi } from '../lib/api.ts';
import { useWalletState } from './wallet-store.ts';

/** Under which address the reactions of one session are kept; the end of a token tells sessions apart. */
export function givenReactionsKey(token: string): string {
  return `${ENDPOINTS.userReactions.path}#${token.slice(-16)}`;
}

/** All that the signed-in person has given, newest first; asked for once per session and kept current by each reply. */
export function useGivenReactions() {
  const { token } = useWalletState();
  const { data, error } = useSWRImmutable<GivenReaction[]>(token === null ? null : givenReactionsKey(token), () =>
    callApi<GivenReaction[]>(ENDPOINTS.userReactions, { token }),
  );
  return { given: token === null ? undefined : data, error: error as unknown };
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
