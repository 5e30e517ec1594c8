import { isLaunched } from '@archive/contracts';
import { useSessionAnswer } from '../../wallet/session-answer.ts';

/** Milliseconds between polls while unfinished launches are on screen. */
const EVERY_MS = 5_000;

/** The signed-in person's launches, newest first, including unfinished ones. */
export function useLaunchedTokens() {
  const { data, error } = useSessionAnswer('userTokens', {
    refreshInterval: (launches) => (launches?.some(({ status }) => !isLaunched(status)) ? EVERY_MS : 0),
  });
  return { launches: data, error };
}
