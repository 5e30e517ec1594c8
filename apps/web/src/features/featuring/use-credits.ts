import { type Credit, ENDPOINTS } from '@archive/contracts';
import useSWR from 'swr';
import { callApi } from '../../lib/api.ts';
import { useWalletState } from '../../wallet/wallet-store.ts';

/** How often a credit is looked at again whose payment is not final yet. */
const REFRESH_MS = 4_000;

/** Payments of the signed-in person that could not be applied, newest first. */
export function useCredits() {
  const { token } = useWalletState();
  // The end of a token tells sessions apart.
  const key = token === null ? null : `${ENDPOINTS.featureCredits.path}#${token.slice(-16)}`;
  const { data, error, mutate } = useSWR<Credit[]>(key, () => callApi<Credit[]>(ENDPOINTS.featureCredits, { token }), {
    refreshInterval: (latest) => (latest?.some(isSettling) ? REFRESH_MS : 0),
  });
  return { credits: data, error: error as unknown, reload: () => void mutate() };
}

function isSettling({ usable, usedOn }: Credit): boolean {
  return !usable && usedOn === null;
}
