import { Lease } from '../background/lease.ts';
import type { Database } from '../db/database.ts';
import { IndexFollower, type Parts } from './index-follower.ts';
import { IndexPositions } from './index-positions.ts';

/** Held by the one process that builds or tidies. */
export const INDEX_LEASE = 'index';

/** The follower of the archive's index, with the leases and the positions that all its processes share. */
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
