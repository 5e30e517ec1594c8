import { randomUUID } from 'node:crypto';
import type { SaveReason, SaveState } from '@archive/contracts';
import { type Collection, type Filter, MongoBulkWriteError, ObjectId } from 'mongodb';
import { type Database, type DatabaseClock, isDuplicateKey, PROMPT } from '../db/database.ts';
import { fromNow } from '../db/expiry.ts';
import type { SourcePlatform } from '../sources/source.ts';
import { queueOf, type SaveDocument } from './save-document.ts';

/** A process that has not renewed a claim for this long has died; another process repeats its work. */
const LEASE_MS = 60_000;
/**
 * Measured clocks differ by a round trip. The index finds candidates with this slack; the database's own clock decides
 * what is due.
 */
const CLOCK_SLACK_MS = 5_000;
/** Due time before all others, so that a removal that an author asks for happens within a minute. */
export const AT_ONCE = new Date(0);

/** Requests are counted and listed up to this number. */
export const SAVES_COUNTED = 10_000;
const OPEN_STATES: readonly SaveState[] = ['received', 'fetched', 'stored'];

/** `fetched: null` deletes the fetched posts. */
export type SaveChange = Partial<Omit<SaveDocument, '_id' | 'fetched' | 'queue'>> & {
  fetched?: SaveDocument['fetched'] | null;
};
export type NewSave = Omit<SaveDocument, '_id' | 'attempts' | 'claims' | 'isPublic' | 'lease' | 'queue' | 'replyId'> & {
  _id?: ObjectId;
};

/** `open`: has not ended. `asker`: the id of the asker. */
export interface SaveFilter {
  state?: SaveState | 'open' | undefined;
  asker?: string | undefined;
}

export class SaveStore {
  readonly #saves: Collection<SaveDocument>;
  readonly #clock: Pick<DatabaseClock, 'now'>;
  readonly #holder = randomUUID();

  constructor({ db, clock }: Pick<Database, 'db' | 'clock'>) {
    this.#clock = clock;
    this.#saves = db.collection<SaveDocument>('saves');
  }

  /** Inserts requests; one whose key exists is left as it is. Returns the number of new requests. */
  async add(saves: readonly NewSave[]): Promise<number> {
    if (saves.length === 0) return 0;
    const documents = saves.map((save) => ({
      ...save,
      ...queued(save),
      _id: save._id ?? new ObjectId(),
      // Requests of authors about their own posts are not public.
      isPublic: save.wish === undefined,
      attempts: 0,
      claims: 0,
      replyId: null,
    }));
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

  /** The open request of the same asker for this link or post. */
  findOpen(
    { kind, id }: SaveDocument['askedBy'],
    { link, target }: Pick<SaveDocument, 'link' | 'target'>,
  ): Promise<SaveDocument | null> {
    return this.#saves.findOne(
      {
        state: { $in: [...OPEN_STATES] },
        'askedBy.kind': kind,
        'askedBy.id': id,
        via: 'save',
        $or: [{ link }, ...(target ? [{ 'target.id': target.id }] : [])],
      },
      { projection: { fetched: 0 }, ...PROMPT },
    );
  }

  /** The last request whose key begins with this key. */
  async findLatest(key: string): Promise<SaveDocument | null> {
    const [latest = null] = await this.#saves
      .find({ key: { $gte: key, $lt: `${key}~` } }, { projection: { fetched: 0 }, ...PROMPT })
      .sort({ createdAt: -1, _id: -1 })
      .limit(1)
      .toArray();
    return latest;
  }

  /** Deletes a request that was just inserted. */
  async takeBack({ _id }: SaveDocument): Promise<void> {
    await this.#saves.deleteOne({ _id });
  }

  /** The request that this reply of ours answered. */
  findByReply(replyId: string): Promise<SaveDocument | null> {
    return this.#saves.findOne({ replyId }, { projection: { fetched: 0 } });
  }

  /** One page of public requests, newest first, and their number, counted up to a limit. */
  async list({ state, asker }: SaveFilter, { page, limit }: { page: number; limit: number }) {
    const states = state === 'open' ? { $in: [...OPEN_STATES] } : state;
    const shown = { ...(asker && { 'askedBy.id': asker }), isPublic: true, ...(states && { state: states }) };
    const [saves, total] = await Promise.all([
      this.#saves
        .find(shown, { projection: { fetched: 0 }, ...PROMPT })
        .sort({ createdAt: -1, _id: -1 })
        .skip((page - 1) * limit)
        .limit(limit)
        .toArray(),
      this.#saves.countDocuments(shown, { limit: SAVES_COUNTED, maxTimeMS: 2_500 }),
    ]);
    return { saves, total };
  }

  /** Requests of a wallet that ended after their first answer, the last ended one first. */
  async endedOf(wallet: string, limit: number): Promise<(SaveDocument & { endedAt: Date })[]> {
    const ofWallet = { 'askedBy.id': wallet, 'askedBy.kind': 'wallet' as const };
    const ended = { ...ofWallet, endedAt: { $exists: true }, reason: { $ne: 'taken_back' as const } };
    const found = this.#saves
      .find(ended, { projection: { fetched: 0 }, ...PROMPT })
      .sort({ endedAt: -1 })
      .limit(limit);
    return (await found.toArray()) as (SaveDocument & { endedAt: Date })[];
  }

  /**
   * Claims the due request to these platforms that waits longest; null if none is due. With `wishes`, only a request of
   * an author that has not been tried yet.
   */
  claim(platforms: readonly SourcePlatform[], { wishes = false } = {}): Promise<SaveDocument | null> {
    return this.#claim({ queue: 'work', platform: { $in: [...platforms] } }, 'dueAt', wishes ? AT_ONCE : undefined);
  }

  /** Claims a request whose asker waits for a reply on a platform. */
  claimReply(platform: SaveDocument['platform']): Promise<SaveDocument | null> {
    return this.#claim({ queue: `reply on ${platform}` }, 'dueAt');
  }

  /** Claims an open request that is past its end time. */
  claimLate(): Promise<SaveDocument | null> {
    return this.#claim({ state: { $in: [...OPEN_STATES] } }, 'endsAt');
  }

  /** Claims the first request whose time `field` has come and that no process holds. */
  async #claim(
    filter: Filter<SaveDocument>,
    field: 'dueAt' | 'endsAt',
    before = new Date(this.#clock.now().getTime() + CLOCK_SLACK_MS),
  ): Promise<SaveDocument | null> {
    const isFree = { $not: [{ $gt: ['$lease.until', '$$NOW'] }] };
    const isDue = { $lte: [`$${field}`, '$$NOW'] };
    const soon = { $lte: before };
    const lease = { holder: this.#holder, until: fromNow(LEASE_MS) };
    return this.#saves.findOneAndUpdate(
      { ...filter, [field]: soon, $expr: { $and: [isFree, isDue] } },
      [{ $set: { lease, claims: { $add: [{ $ifNull: ['$claims', 0] }, 1] } } }],
      { sort: { [field]: 1 }, returnDocument: 'after' },
    );
  }

  /** Extends the claim. Does nothing if another process holds the request by now. */
  async renew({ _id }: SaveDocument): Promise<void> {
    await this.#saves.updateOne({ _id, 'lease.holder': this.#holder }, [
      { $set: { 'lease.until': fromNow(LEASE_MS) } },
    ]);
  }

  /** Writes the progress of a claimed request. Returns false if another process holds the request by now. */
  async move(save: SaveDocument, change: SaveChange, { keep = false } = {}): Promise<boolean> {
    const { fetched, ...rest } = change;
    const { queue } = queued({ ...save, ...rest });
    const { matchedCount } = await this.#saves.updateOne(
      { _id: save._id, 'lease.holder': this.#holder },
      {
        $set: { ...rest, claims: 0, ...(fetched && { fetched }), ...(queue && { queue }) },
        $unset: {
          ...(!keep && { lease: '' as const }),
          ...(fetched === null && { fetched: '' as const }),
          ...(!queue && { queue: '' as const }),
        },
        ...(isEnd(rest.state) && { $currentDate: { endedAt: true } }),
      },
    );
    return matchedCount === 1;
  }

  /** Restarts a failed request. Returns false if it has not failed. */
  async retry(_id: ObjectId, ms: number): Promise<boolean> {
    const anew = { state: 'received', reason: null, attempts: 0, claims: 0, queue: 'work', reply: 'none' };
    const { modifiedCount } = await this.#saves.updateOne({ _id, state: 'failed' }, [
      { $set: { ...anew, dueAt: '$$NOW', endsAt: fromNow(ms) } },
      { $unset: ['lease', 'endedAt'] },
    ]);
    return modifiedCount === 1;
  }

  /**
   * Ends an open request; the process that works on it loses its claim. Returns false if the request is in none of
   * these states.
   */
  async cancel(
    _id: ObjectId,
    { states = ['received', 'fetched'], reason = 'cancelled' }: { states?: SaveState[]; reason?: SaveReason } = {},
  ): Promise<boolean> {
    const { modifiedCount } = await this.#saves.updateOne({ _id, state: { $in: states } }, [
      { $set: { state: 'failed', reason, reply: 'skipped', endedAt: '$$NOW' } },
      { $unset: ['lease', 'queue', 'fetched'] },
    ]);
    return modifiedCount === 1;
  }

  /** Gives up replies that could not be sent within their day. */
  async endReplies(now: Date): Promise<void> {
    const late = { reply: 'due' as const, endsAt: { $lt: now } };
    const ended = { reply: 'skipped' as const };
    await this.#saves.updateMany({ ...late, state: 'failed' }, { $set: ended, $unset: { queue: '' } });
    await this.#saves.updateMany({ ...late, state: { $in: [...OPEN_STATES] } }, { $set: { ...ended, queue: 'work' } });
  }

  /** All requests of a wallet, newest first. */
  walkAskedBy(wallet: string): AsyncIterable<SaveDocument> {
    return this.#saves.find(ofWallet(wallet), { projection: { fetched: 0 } }).sort({ createdAt: -1, _id: -1 });
  }

  countAskedBy(wallet: string): Promise<number> {
    return this.#saves.countDocuments(ofWallet(wallet));
  }

  /** Removes the wallet from requests that it made up to a time. The requests themselves stay. */
  async forgetAsker(wallet: string, until: Date): Promise<void> {
    // The key contains the wallet too.
    const nameless = { 'askedBy.id': '', key: { $concat: ['forgotten ', { $toString: '$_id' }] } };
    await this.#saves.updateMany({ ...ofWallet(wallet), createdAt: { $lte: until } }, [{ $set: nameless }]);
  }

  /** The request that has waited longest to be fetched or stored. */
  oldestUndone(): Promise<SaveDocument | null> {
    const undone = { state: { $in: ['received', 'fetched'] satisfies SaveState[] } };
    return this.#saves.findOne(undone, { sort: { endsAt: 1 }, projection: { fetched: 0 }, ...PROMPT });
  }

  /** Counts up to `limit`, so that the cost does not grow with the number of requests. */
  count(filter: Filter<SaveDocument>, limit: number): Promise<number> {
    return this.#saves.countDocuments(filter, { limit, maxTimeMS: 2_500 });
  }
}

function ofWallet(wallet: string) {
  return { 'askedBy.id': wallet, 'askedBy.kind': 'wallet' as const };
}

function isEnd(state: SaveState | undefined): boolean {
  return state === 'answered' || state === 'failed';
}

function queued(save: Parameters<typeof queueOf>[0]): Pick<SaveDocument, 'queue'> {
  const queue = queueOf(save);
  return queue ? { queue } : {};
}
