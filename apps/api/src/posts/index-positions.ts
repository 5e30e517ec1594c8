import { randomUUID } from 'node:crypto';
import type { Collection, Db } from 'mongodb';

/** A process that has written nothing for this long has ended. */
const LIVE_MS = 30_000;

const IS_GONE = { $expr: { $lt: ['$saidAt', { $subtract: ['$$NOW', LIVE_MS] }] } };

interface PositionDocument {
  /** A running process. */
  _id: string;
  at: Date;
  saidAt: Date;
}

/** Up to where the index of each running process has followed changes. */
export class IndexPositions {
  readonly #positions: Collection<PositionDocument>;
  readonly #own = randomUUID();

  constructor(db: Db) {
    this.#positions = db.collection<PositionDocument>('index_positions');
  }

  /** Of a process that has followed nothing yet. Those that were killed are forgotten. */
  async begin(): Promise<void> {
    await this.#positions.deleteMany(IS_GONE).catch(() => {});
    await this.tell(0);
  }

  /** Says where this process is: milliseconds since 1970 by the database's clock. Where that fails, the next time says it. */
  async tell(at: number): Promise<void> {
    const change = { at: new Date(at), saidAt: '$$NOW' };
    await this.#positions.updateOne({ _id: this.#own }, [{ $set: change }], { upsert: true }).catch(() => {});
  }

  /** Where that fails, it is forgotten some time after. */
  async end(): Promise<void> {
    await this.#positions.deleteOne({ _id: this.#own }).catch(() => {});
  }

  /** The one that is farthest behind, in milliseconds since 1970; null where no process runs. */
  async slowest(): Promise<number | null> {
    await this.#positions.deleteMany(IS_GONE);
    const found = await this.#positions.find().sort({ at: 1 }).limit(1).next();
    return found?.at.getTime() ?? null;
  }
}
