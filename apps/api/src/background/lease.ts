import { randomUUID } from 'node:crypto';
import type { Collection, Db } from 'mongodb';
import { isDuplicateKey } from '../db/database.ts';
import { fromNow } from '../db/expiry.ts';
import { withTimeout } from '../with-timeout.ts';

const LEASE_MS = 15_000;

interface LeaseDocument {
  _id: string;
  holder: string;
  until: Date;
}

/** The end of the last lease with this name; null if there never was one. */
export async function leaseEnd(db: Db, name: string): Promise<Date | null> {
  return (await db.collection<LeaseDocument>('leases').findOne({ _id: name }))?.until ?? null;
}

/** A lease that one process at a time holds. If its holder does not renew it, another process may take over. */
export class Lease {
  readonly #leases: Collection<LeaseDocument>;
  readonly #name: string;
  readonly #holder = randomUUID();
  readonly #ms: number;

  /** `pauseMs` is the holder's pause between two renewals. */
  constructor(db: Db, name: string, { pauseMs = 0 } = {}) {
    this.#leases = db.collection<LeaseDocument>('leases');
    this.#name = name;
    this.#ms = LEASE_MS + pauseMs;
  }

  /** Takes or renews the lease. Returns whether this process holds it now. */
  async take(): Promise<boolean> {
    // Free means absent, our own, or expired. Decided by the database's clock, which the filter of an upsert cannot
    // use.
    const isFree = { $or: [{ $in: ['$holder', [this.#holder, null]] }, { $not: [{ $gt: ['$until', '$$NOW'] }] }] };
    const change = {
      holder: { $cond: [isFree, this.#holder, '$holder'] },
      until: { $cond: [isFree, fromNow(this.#ms), '$until'] },
    };
    try {
      const taking = this.#leases.findOneAndUpdate({ _id: this.#name }, [{ $set: change }], {
        upsert: true,
        returnDocument: 'after',
      });
      const late = () => new Error(`the lease of ${this.#name} could not be taken in time`);
      return (await withTimeout(taking, LEASE_MS, late))?.holder === this.#holder;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  /** Gives up the lease. If that fails, it expires. */
  async end(): Promise<void> {
    await this.#leases.deleteOne({ _id: this.#name, holder: this.#holder }).catch(() => {});
  }
}
