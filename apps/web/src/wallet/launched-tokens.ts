import { ENDPOINTS, isLaunched, type TokenLaunch } from '@archive/contracts';
import useSWR from 'swr';
import { callApi } from '../lib/api.ts';
import { useWalletState } from './wallet-store.ts';

/** How often launches under way are asked for while they are on screen. */
const EVERY_MS = 5_000;

/** Under which address the launches of one session are kept; the end of a token tells sessions apart. */
export function launchedTokensKey(token: string): string {
  return `${ENDPOINTS.userTokens.path}#${token.slice(-16)}`;
}

/** What the signed-in person has launched, newest first, launches under way included. */
export function useLaunchedTokens() {
  const { token } = useWalletState();
  const { data, error } = useSWR<TokenLaunch[]>(
    token === null ? null : launchedTokensKey(token),
    () => callApi<TokenLaunch[]>(ENDPOINTS.userTokens, { token }),
    { refreshInterval: (launches) => (launches?.some(({ status }) => !isLaunched(status)) ? EVERY_MS : 0) },
  );
  return { launches: token === null ? undefined : data, error: error as unknown };
}
