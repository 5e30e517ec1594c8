import { Lease } from '../background/lease.ts';
import type { Database } from '../db/database.ts';
import { IndexFollower, type Parts } from './index-follower.ts';
import { IndexPositions } from './index-positions.ts';

/** Name of the lease that the one process holds which builds or tidies the index. */
export const INDEX_LEASE = 'index';

/** Creates the follower of the index, with the leases and the positions that all processes share. */
export function followIndex(
  { db, clock }: Database,
  parts: Omit<Parts, 'clock' | 'lease' | 'keeper' | 'positions'>,
): IndexFollower {
  return new IndexFollower({
    ...parts,
    clock,
    lease: new Lease(db, INDEX_LEASE),
    keeper: new Lease(db, 'index-keeper'),
    positions: new IndexPositions(db),
  });
}
