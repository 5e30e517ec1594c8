import type { Credit } from '@archive/contracts';
import { useSessionAnswer } from '../../wallet/session-answer.ts';

/** How often a credit is asked for again whose payment is not final yet. */
const EVERY_MS = 4_000;

/** Payments of the signed-in person that could not be applied, newest first. */
export function useOwnCredits() {
  const { data, error, reload } = useSessionAnswer('featureCredits', {
    refreshInterval: (credits) => (credits?.some(isSettling) ? EVERY_MS : 0),
  });
  return { credits: data, error, reload };
}

function isSettling({ usable, usedOn }: Credit): boolean {
  return !usable && usedOn === null;
}
