import { randomUUID } from 'node:crypto';
import type { Collection, Db } from 'mongodb';

/** A process that has written nothing for this long counts as ended. */
const LIVE_MS = 30_000;

const IS_GONE = { $expr: { $lt: ['$saidAt', { $subtract: ['$$NOW', LIVE_MS] }] } };

interface PositionDocument {
  /** Random id of a running process. */
  _id: string;
  at: Date;
  saidAt: Date;
}

/** For each running process, the time up to which its index holds all changes. */
export class IndexPositions {
  readonly #positions: Collection<PositionDocument>;
  readonly #own = randomUUID();

  constructor(db: Db) {
    this.#positions = db.collection<PositionDocument>('index_positions');
  }

  /** Registers this process, which has followed nothing yet. Deletes the entries of killed processes. */
  async begin(): Promise<void> {
    await this.#positions.deleteMany(IS_GONE).catch(() => {});
    await this.tell(0);
  }

  /**
   * Writes the position of this process: milliseconds since 1970 by the database's clock. A failure is ignored, since
   * the next call writes it again.
   */
  async tell(at: number): Promise<void> {
    const change = { at: new Date(at), saidAt: '$$NOW' };
    await this.#positions.updateOne({ _id: this.#own }, [{ $set: change }], { upsert: true }).catch(() => {});
  }

  /** Deletes the entry of this process. If that fails, the entry expires later. */
  async end(): Promise<void> {
    await this.#positions.deleteOne({ _id: this.#own }).catch(() => {});
  }

  /** The position of the process that is farthest behind, in milliseconds since 1970; null if no process runs. */
  async slowest(): Promise<number | null> {
    await this.#positions.deleteMany(IS_GONE);
    const found = await this.#positions.find().sort({ at: 1 }).limit(1).next();
    return found?.at.getTime() ?? null;
  }
}
