import type { PaymentReport } from './payment-document.ts';

/** Blocks after which a transaction that no node has seen can never land. */
const EXPIRY_BLOCKS = 151;
const SOON_MS = 1_500;
/** The pause before the next check is the time since the report divided by this, within the limits below. */
const PART = 4;
/** Longest pause for a payment that the watcher has seen in the history. */
const FOUND_MAX_MS = 30_000;
const EXPIRED_MIN_MS = 3_600_000;

/**
 * Whether the transaction of a report can never land, given that no node has shown it at this height. A payment that
 * the watcher has seen in the history never expires; a report by a wallet, or of a dropped payment, does.
 */
export function isExpired({ height: first, ...report }: PaymentReport, height: number): boolean {
  return !isFound(report) && first !== null && height - first >= EXPIRY_BLOCKS;
}

/** The next check of a report without a payment; the pauses grow. */
export function nextLook(report: Pick<PaymentReport, 'wallet' | 'post' | 'reportedAt'>, now: Date, expired: boolean) {
  const pause = Math.max(SOON_MS, (now.getTime() - report.reportedAt.getTime()) / PART);
  if (isFound(report)) return new Date(now.getTime() + Math.min(pause, FOUND_MAX_MS));
  return new Date(now.getTime() + (expired ? Math.max(pause, EXPIRED_MIN_MS) : pause));
}

function isFound({ wallet, post }: Pick<PaymentReport, 'wallet' | 'post'>): boolean {
  return wallet === null && post === null;
}
