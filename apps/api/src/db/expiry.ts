/** Filters what has not expired, by the database's clock: processes must not disagree on it. */
export const NOT_EXPIRED = { $expr: { $gt: ['$expiresAt', '$$NOW'] } };

/** So many milliseconds from the moment of the write; for updates by pipeline. */
export function fromNow(ms: number) {
  return { $add: ['$$NOW', ms] };
}
