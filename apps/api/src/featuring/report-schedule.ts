import type { PaymentReport } from './payment-document.ts';

/** Blocks after which a transaction that no node has seen can never land. */
const EXPIRY_BLOCKS = 151;
const SOON_MS = 1_500;
/** A pause is at most this part of the time that has gone by. */
const PART = 4;
/** What the watcher itself has found in the history nobody can make up. */
const FOUND_MAX_MS = 30_000;
const EXPIRED_MIN_MS = 3_600_000;

/**
 * Whether a report's transaction can never land, where no node has shown it at this height. What a wallet says hardly comes
 * true after that, nor what the chain has taken back.
 */
export function isExpired({ height: first, ...report }: PaymentReport, height: number): boolean {
  return !isFound(report) && first !== null && height - first >= EXPIRY_BLOCKS;
}

/** When a report whose payment is not there yet is looked at again, by whoever does: ever more seldom. */
export function nextLook(report: Pick<PaymentReport, 'wallet' | 'post' | 'reportedAt'>, now: Date, expired: boolean) {
  const pause = Math.max(SOON_MS, (now.getTime() - report.reportedAt.getTime()) / PART);
  if (isFound(report)) return new Date(now.getTime() + Math.min(pause, FOUND_MAX_MS));
  return new Date(now.getTime() + (expired ? Math.max(pause, EXPIRED_MIN_MS) : pause));
}

function isFound({ wallet, post }: Pick<PaymentReport, 'wallet' | 'post'>): boolean {
  return wallet === null && post === null;
}
