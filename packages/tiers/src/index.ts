export { isAlive, until } from './until.ts';

/** True in `npm run test:full`, false in `npm test`. `full-only.json` lists what only the full tier runs. */
export const isFull = process.env['TEST_TIER'] === 'full';

/**
 * Time limit of a long series, in milliseconds: many times its usual duration, because a busy machine may be that slow.
 */
export const SERIES_MS = 1_800_000;

/**
 * Number of cases of a random series in this tier. `cluster` applies in the quick tier with a search cluster, which is
 * slower.
 */
export function cases({ quick, full, cluster = quick }: { quick: number; full: number; cluster?: number }): number {
  if (isFull) return full;
  return process.env['TEST_SEARCH_URL'] ? cluster : quick;
}
