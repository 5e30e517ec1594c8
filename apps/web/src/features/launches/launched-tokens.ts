import { isLaunched } from '@archive/contracts';
import { useSessionAnswer } from '../../wallet/session-answer.ts';

/** How often launches under way are asked for while they are on screen. */
const EVERY_MS = 5_000;

/** What the signed-in person has launched, newest first, launches under way included. */
export function useLaunchedTokens() {
  const { data, error } = useSessionAnswer('userTokens', {
    refreshInterval: (launches) => (launches?.some(({ status }) => !isLaunched(status)) ? EVERY_MS : 0),
  });
  return { launches: data, error };
}
