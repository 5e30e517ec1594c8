import { randomUUID } from 'node:crypto';
import { type Collection, type Db, type Filter, MongoBulkWriteError, ObjectId } from 'mongodb';
import { isDuplicateKey, PROMPT } from '../db/database.ts';
import { fromNow } from '../db/expiry.ts';
import type { SaveDocument } from './save-document.ts';

/** A process that has not come back for so long has died: its work is done again. */
const LEASE_MS = 60_000;
/** What waits for an answer is whose account it is. */
const TO_DO: Filter<SaveDocument> = {
  $or: [{ state: { $in: ['received', 'fetched'] } }, { state: 'stored', reply: { $ne: 'due' } }],
};

/** `fetched: null` lets go of what was fetched. */
export type SaveChange = Partial<Omit<SaveDocument, '_id' | 'fetched'>> & { fetched?: SaveDocument['fetched'] | null };
export type NewSave = Omit<SaveDocument, '_id' | 'attempts' | 'lease' | 'replyId'> & { _id?: ObjectId };

/** Requests to save. */
export class SaveStore {
  readonly #saves: Collection<SaveDocument>;
  readonly #holder = randomUUID();

  constructor(db: Db) {
    this.#saves = db.collection<SaveDocument>('saves');
  }

  /** Takes requests in; what was taken in before, by its key, is left as it is. Answers how many are new. */
  async add(saves: readonly NewSave[]): Promise<number> {
    if (saves.length === 0) return 0;
    const documents = saves.map((save) => ({ ...save, _id: save._id ?? new ObjectId(), attempts: 0, replyId: null }));
    try {
      return (await this.#saves.insertMany(documents, { ordered: false })).insertedCount;
    } catch (error) {
      if (!(error instanceof MongoBulkWriteError) || !isDuplicateKey(error)) throw error;
      if (error.result.getWriteConcernError() !== undefined) throw error;
      for (const failure of [error.writeErrors].flat()) if (!isDuplicateKey(failure)) throw error;
      return error.result.insertedCount;
    }
  }

  find(id: ObjectId): Promise<SaveDocument | null> {
    return this.#saves.findOne({ _id: id }, { projection: { fetched: 0 }, ...PROMPT });
  }

  findByKey(key: string): Promise<SaveDocument | null> {
    return this.#saves.findOne({ key }, { projection: { fetched: 0 }, ...PROMPT });
  }

  /** The request that a reply of ours answered. */
  findByReply(replyId: string): Promise<SaveDocument | null> {
    return this.#saves.findOne({ replyId }, { projection: { fetched: 0 } });
  }

  /** One page, newest first, and how many there are. */
  async list(filter: Filter<SaveDocument>, { page, limit }: { page: number; limit: number }) {
    // What authors ask for is between them and this archive.
    const shown = { ...filter, wish: { $exists: false } };
    const [saves, total] = await Promise.all([
      this.#saves
        .find(shown, { projection: { fetched: 0 }, ...PROMPT })
        .sort({ createdAt: -1, _id: -1 })
        .skip((page - 1) * limit)
        .limit(limit)
        .toArray(),
      this.#saves.countDocuments(shown, { maxTimeMS: 2_500 }),
    ]);
    return { saves, total };
  }

  /** The request that waits longest, for this process alone for a while; null where none is due. */
  claim(): Promise<SaveDocument | null> {
    return this.#claim(TO_DO);
  }

  /** The same of those that wait to be answered on a platform. */
  claimReply(platform: SaveDocument['platform']): Promise<SaveDocument | null> {
    return this.#claim({ platform, reply: 'due', state: { $in: ['stored', 'failed'] } });
  }

  async #claim(filter: Filter<SaveDocument>): Promise<SaveDocument | null> {
    const isFree = { $not: [{ $gt: ['$lease.until', '$$NOW'] }] };
    const isDue = { $lte: ['$dueAt', '$$NOW'] };
    return this.#saves.findOneAndUpdate(
      { ...filter, $expr: 'endsAt' in filter ? isFree : { $and: [isFree, isDue] } },
      [{ $set: { lease: { holder: this.#holder, until: fromNow(LEASE_MS) } } }],
      { sort: { dueAt: 1 }, returnDocument: 'after' },
    );
  }

  /** What became of a claimed request; false where somebody else has it by now. */
  async move(save: SaveDocument, change: SaveChange, { keep = false } = {}): Promise<boolean> {
    const { fetched, ...rest } = change;
    const { matchedCount } = await this.#saves.updateOne(
      { _id: save._id, 'lease.holder': this.#holder },
      {
        $set: { ...rest, ...(fetched && { fetched }) },
        $unset: { ...(!keep && { lease: '' as const }), ...(fetched === null && { fetched: '' as const }) },
      },
    );
    return matchedCount === 1;
  }

  /** A request that is past its time and has not ended, for this process alone for a while. */
  claimLate(now: Date): Promise<SaveDocument | null> {
    return this.#claim({ state: { $in: ['received', 'fetched', 'stored'] }, endsAt: { $lt: now } });
  }

  /** Who was to be answered and could not be for a day is not any more. */
  async endReplies(now: Date): Promise<void> {
    await this.#saves.updateMany({ reply: 'due', endsAt: { $lt: now } }, { $set: { reply: 'skipped' } });
  }

  /** How many requests since then; of one who asks, or from one network. */
  count(filter: Filter<SaveDocument>): Promise<number> {
    return this.#saves.countDocuments(filter, { maxTimeMS: 2_500 });
  }
}
