import { type AnswerOf, ENDPOINTS, type JsonEndpointName } from '@archive/contracts';
import useSWR, { type ScopedMutator, type SWRConfiguration } from 'swr';
import { callApi } from '../lib/api.ts';
import { useWalletState } from './wallet-store.ts';

/** The calls that read what the server holds of the signed-in person. */
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

/** What the server holds of the signed-in person, asked for by their session; nothing of a visitor. */
export function useSessionAnswer<N extends OwnName>(name: N, options: SWRConfiguration<AnswerOf<N>> = {}) {
  const { token } = useWalletState();
  const key = token === null ? null : sessionKey(name, token);
  const ask = callApi as (name: N, input: { token: string | null }) => Promise<AnswerOf<N>>;
  const { data, error, mutate } = useSWR<AnswerOf<N>>(key, () => ask(name, { token }), options);
  return { data: token === null ? undefined : data, error: error as unknown, reload: () => void mutate() };
}

/** Under which address an answer of one session is kept; the end of a token tells sessions apart. */
export function sessionKey(name: OwnName, token: string): string {
  return `${ENDPOINTS[name].path}#${token.slice(-16)}`;
}

/** Asks anew where the answer is on screen. What fails is asked again when it is next shown. */
export function refreshSessionAnswer(name: OwnName, mutate: ScopedMutator): void {
  // The account counts what the others list.
  const paths = [`${ENDPOINTS[name].path}#`, `${ENDPOINTS.getAccount.path}#`];
  mutate((key) => typeof key === 'string' && paths.some((path) => key.startsWith(path))).catch(() => {});
}
