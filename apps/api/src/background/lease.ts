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

/** Until when somebody has, or had, a lease; null where nobody ever took it. */
export async function leaseEnd(db: Db, name: string): Promise<Date | null> {
  return (await db.collection<LeaseDocument>('leases').findOne({ _id: name }))?.until ?? null;
}

/** Lets one process at a time do some work; once it has not come back for a while, any other may take over. */
export class Lease {
  readonly #leases: Collection<LeaseDocument>;
  readonly #name: string;
  readonly #holder = randomUUID();
  readonly #ms: number;

  /** `pauseMs`: for how long its holder is away between two takings. */
  constructor(db: Db, name: string, { pauseMs = 0 } = {}) {
    this.#leases = db.collection<LeaseDocument>('leases');
    this.#name = name;
    this.#ms = LEASE_MS + pauseMs;
  }

  /** Whether this process has it now, and for the next moments. */
  async take(): Promise<boolean> {
    // Absent, ours, or run out. Decided by the database's clock, which a filter of an upsert may not name.
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

  /** Gives it to whoever comes next; where that fails it runs out by itself. */
  async end(): Promise<void> {
    await this.#leases.deleteOne({ _id: this.#name, holder: this.#holder }).catch(() => {});
  }
}
