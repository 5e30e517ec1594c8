/** Matches documents that have not expired, by the database's clock, so that all processes agree. */
export const NOT_EXPIRED = { $expr: { $gt: ['$expiresAt', '$$NOW'] } };

/** The time `ms` milliseconds after the write; for pipeline updates. */
export function fromNow(ms: number) {
  return { $add: ['$$NOW', ms] };
}
