import { type AnswerOf, ENDPOINTS, type JsonEndpointName } from '@archive/contracts';
import useSWR, { type ScopedMutator, type SWRConfiguration } from 'swr';
import { callApi } from '../lib/api.ts';
import { useWalletState } from './wallet-store.ts';

/** The calls that read data of the signed-in person. */
type OwnName = Extract<
  JsonEndpointName,
  | 'getAccount'
  | 'userReactions'
  | 'userTokens'
  | 'featureCredits'
  | 'listSearches'
  | 'listCollections'
  | 'listNotices'
  | 'noticeSettings'
  | 'paidPosts'
  | 'me'
  | 'adminMe'
  | 'adminToday'
>;

/** The answer to such a call for the current session; undefined for a visitor. */
export function useSessionAnswer<N extends OwnName>(name: N, options: SWRConfiguration<AnswerOf<N>> = {}) {
  const { token } = useWalletState();
  const key = token === null ? null : sessionKey(name, token);
  const ask = callApi as (name: N, input: { token: string | null }) => Promise<AnswerOf<N>>;
  const { data, error, mutate } = useSWR<AnswerOf<N>>(key, () => ask(name, { token }), options);
  return { data: token === null ? undefined : data, error: error as unknown, reload: () => void mutate() };
}

/** The cache key of an answer in one session. It contains the end of the session token. */
export function sessionKey(name: OwnName, token: string): string {
  return `${ENDPOINTS[name].path}#${token.slice(-16)}`;
}

/** Reloads the answer if it is on screen. A failed one reloads when it is next shown. */
export function refreshSessionAnswer(name: OwnName, mutate: ScopedMutator): void {
  // The account's figures count the same data.
  const paths = [`${ENDPOINTS[name].path}#`, `${ENDPOINTS.getAccount.path}#`];
  mutate((key) => typeof key === 'string' && paths.some((path) => key.startsWith(path))).catch(() => {});
}
