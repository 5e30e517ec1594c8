/**
 * Why a fetch failed: the address is not allowed (`not_allowed`), it redirects (`redirected`), the answer is too large
 * (`too_large`), too slow (`too_slow`) or compressed (`encoded`), has an error status (`status`), or is incomplete
 * (`unreachable`).
 */
export type OutboundReason =
  | 'not_allowed'
  | 'redirected'
  | 'too_large'
  | 'too_slow'
  | 'encoded'
  | 'status'
  | 'unreachable';

/** Statuses that may change later; so may all 5xx. */
const PASSING = [404, 408, 425, 429];

/** A failed fetch, and whether another attempt may help. */
export class OutboundRefusal extends Error {
  readonly reason: OutboundReason;
  readonly status: number | null;
  readonly mayRetry: boolean;

  constructor(reason: OutboundReason, message: string, { status, ...more }: ErrorOptions & { status?: number } = {}) {
    super(message, more);
    this.reason = reason;
    this.status = status ?? null;
    this.mayRetry =
      reason === 'too_slow' ||
      reason === 'unreachable' ||
      (status !== undefined && (status >= 500 || PASSING.includes(status)));
  }
}
