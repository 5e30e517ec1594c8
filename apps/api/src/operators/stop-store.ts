import type { Collection } from 'mongodb';
import { PROMPT } from '../db/database.ts';

/** A switch or wallet, with all periods in which it was stopped. */
export interface StopDocument {
  /** The name of a switch, or a wallet's address. */
  _id: string;
  isStopped: boolean;
  /** The last change was made by this wallet's address or the `command line`. */
  by: string;
  reason: string | null;
  changedAt: Date;
  /** While it is stopped, the last period has no end. */
  spans: { from: Date; until: Date | null }[];
}

/** Whether something is stopped. Read at each decision, so that a change takes effect in every process at once. */
export class StopStore {
  readonly #stops: Collection<StopDocument>;

  constructor(stops: Collection<StopDocument>) {
    this.#stops = stops;
  }

  find(id: string): Promise<StopDocument | null> {
    return this.#stops.findOne({ _id: id }, PROMPT);
  }

  async isStopped(id: string): Promise<boolean> {
    return (await this.find(id))?.isStopped ?? false;
  }

  /** Whether it was stopped at a time, by the database's clock. */
  async wasStopped(id: string, at: Date): Promise<boolean> {
    const spans = (await this.find(id))?.spans ?? [];
    return spans.some(({ from, until }) => from <= at && (until === null || at < until));
  }

  /** Those of the ids that are stopped. */
  async stoppedOf(ids: readonly string[]): Promise<Set<string>> {
    const found = await this.#stops.find({ _id: { $in: [...ids] }, isStopped: true }, PROMPT).toArray();
    return new Set(found.map(({ _id }) => _id));
  }

  /** All stopped ones, the latest first. */
  stopped(limit: number): Promise<StopDocument[]> {
    return this.#stops.find({ isStopped: true }).sort({ changedAt: -1 }).limit(limit).toArray();
  }

  /** Changes the state now, or at the original time if a restore repeats the change. */
  async set(
    id: string,
    isStopped: boolean,
    by: { by: string; reason: string | null },
    at?: Date,
  ): Promise<StopDocument> {
    const when = at ?? '$$NOW';
    const known = { $ifNull: ['$spans', []] };
    const isOpen = { $eq: ['$$this.until', null] };
    const ended = {
      $map: { input: known, in: { $cond: [isOpen, { from: '$$this.from', until: when }, '$$this'] } },
    };
    const begun = { $concatArrays: [known, [{ from: when, until: null }]] };
    const spans = isStopped ? { $cond: ['$isStopped', '$spans', begun] } : ended;
    const fields = { by: { $literal: by.by }, reason: { $literal: by.reason }, changedAt: when };
    const set = await this.#stops.findOneAndUpdate({ _id: id }, [{ $set: { spans, isStopped, ...fields } }], {
      upsert: true,
      returnDocument: 'after',
    });
    return set as StopDocument;
  }
}
