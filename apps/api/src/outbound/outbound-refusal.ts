/**
 * Why nothing was fetched: the address is none we ask (`not_allowed`), it leads elsewhere (`redirected`), more came than is
 * taken (`too_large`), it took too long (`too_slow`), it came packed (`encoded`), the server said no (`status`), or there
 * was no whole answer (`unreachable`).
 */
export type OutboundReason =
  | 'not_allowed'
  | 'redirected'
  | 'too_large'
  | 'too_slow'
  | 'encoded'
  | 'status'
  | 'unreachable';

/** Statuses that may be others later: not there yet, too early, too many, and every failure of the server's own. */
const PASSING = [404, 408, 425, 429];

/** Something that was not fetched, and whether asking again may help. */
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
