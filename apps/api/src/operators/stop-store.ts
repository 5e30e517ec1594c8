import type { Collection } from 'mongodb';
import { PROMPT } from '../db/database.ts';

/** What operators have stopped, and every while for which it was. */
export interface StopDocument {
  /** What: the name of a switch, or a wallet's address. */
  _id: string;
  isStopped: boolean;
  /** Who changed it last: a wallet's address, or `command line`. */
  by: string;
  reason: string | null;
  changedAt: Date;
  /** The last one has no end while it is stopped. */
  spans: { from: Date; until: Date | null }[];
}

/** Whether something is stopped, asked where it is decided, so that it holds in every process at once. */
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

  /** Which of these are stopped. */
  async stoppedOf(ids: readonly string[]): Promise<Set<string>> {
    const found = await this.#stops.find({ _id: { $in: [...ids] }, isStopped: true }, PROMPT).toArray();
    return new Set(found.map(({ _id }) => _id));
  }

  /** All that are stopped, the latest first. */
  stopped(limit: number): Promise<StopDocument[]> {
    return this.#stops.find({ isStopped: true }).sort({ changedAt: -1 }).limit(limit).toArray();
  }

  /** Now, or where a restore does it again at the time at which it was done. */
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
