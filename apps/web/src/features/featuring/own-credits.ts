import type { Credit } from '@archive/contracts';
import { useSessionAnswer } from '../../wallet/session-answer.ts';

/** Milliseconds between polls while a credit's payment is not final. */
const EVERY_MS = 4_000;

/** The signed-in person's payments that could not be applied, newest first. */
export function useOwnCredits() {
  const { data, error, reload } = useSessionAnswer('featureCredits', {
    refreshInterval: (credits) => (credits?.some(isSettling) ? EVERY_MS : 0),
  });
  return { credits: data, error, reload };
}

function isSettling({ usable, usedOn }: Credit): boolean {
  return !usable && usedOn === null;
}
