export { isAlive, until } from './until.ts';

/** True in `npm run test:full`, false in `npm test`. What only the full tier runs is listed in `full-only.json`. */
export const isFull = process.env['TEST_TIER'] === 'full';

/** Ends a long series that hangs, in milliseconds: many times what one takes, since a busy machine may be as slow. */
export const SERIES_MS = 1_800_000;

/** How many cases a random series has in this tier. `cluster`: in the quick one, where a search cluster answers, which takes longer. */
export function cases({ quick, full, cluster = quick }: { quick: number; full: number; cluster?: number }): number {
  if (isFull) return full;
  return process.env['TEST_SEARCH_URL'] ? cluster : quick;
}
