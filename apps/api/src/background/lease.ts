import { randomUUID } from 'node:crypto';
import type { Collection } from 'mongodb';
import { type Database, isDuplicateKey } from '../db/database.ts';
import { withTimeout } from '../with-timeout.ts';

const LEASE_MS = 15_000;

interface LeaseDocument {
  _id: string;
  holder: string;
  until: Date;
}

/** Lets one process at a time do some work; once it has not come back for a while, any other may take over. */
export class Lease {
  readonly #leases: Collection<LeaseDocument>;
  readonly #clock: Database['clock'];
  readonly #name: string;
  readonly #holder = randomUUID();

  constructor({ db, clock }: Pick<Database, 'db' | 'clock'>, name: string) {
    this.#leases = db.collection<LeaseDocument>('leases');
    this.#clock = clock;
    this.#name = name;
  }

  /** Whether this process has it now, and for the next moments. */
  async take(): Promise<boolean> {
    const now = this.#clock.now();
    const holder = this.#holder;
    try {
      const taken = this.#leases.updateOne(
        { _id: this.#name, $or: [{ holder }, { until: { $lt: now } }] },
        { $set: { holder, until: new Date(now.getTime() + LEASE_MS) } },
        { upsert: true },
      );
      await withTimeout(taken, LEASE_MS, () => new Error(`the lease of ${this.#name} could not be taken in time`));
      return true;
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
