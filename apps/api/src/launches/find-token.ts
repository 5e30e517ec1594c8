import { AppError } from '../app-error.ts';
import type { LaunchDocument } from './launch-document.ts';
import type { Launches } from './launches.ts';

/** The launch of a token of this archive, by its mint. */
export async function findToken(
  { launches }: { launches: Pick<Launches, 'store'> },
  mint: string,
): Promise<LaunchDocument> {
  const launch = await launches.store.findByMint(mint.slice(0, 64));
  if (launch) return launch;
  throw new AppError('not_found', 'There is no token of this archive at this address.');
}
