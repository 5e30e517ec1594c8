import { randomUUID } from 'node:crypto';
import type { SaveReason, SaveState } from '@archive/contracts';
import { type Collection, type Filter, MongoBulkWriteError, ObjectId } from 'mongodb';
import { type Database, type DatabaseClock, isDuplicateKey, PROMPT } from '../db/database.ts';
import { fromNow } from '../db/expiry.ts';
import type { SourcePlatform } from '../sources/source.ts';
import { queueOf, type SaveDocument } from './save-document.ts';

/** A process that has not come back for so long has died: its work is done again. */
const LEASE_MS = 60_000;
/** Clocks as measured differ by a round trip; what is due is decided by the database's own, this only finds it by an index. */
const CLOCK_SLACK_MS = 5_000;
/** How many there are is told, and listed, as far as this. */
/** Before all that waits: what an author wants taken away goes within a minute. */
export const AT_ONCE = new Date(0);

export const SAVES_COUNTED = 10_000;
const OPEN_STATES: readonly SaveState[] = ['received', 'fetched', 'stored'];

/** `fetched: null` lets go of what was fetched. */
export type SaveChange = Partial<Omit<SaveDocument, '_id' | 'fetched' | 'queue'>> & {
  fetched?: SaveDocument['fetched'] | null;
};
export type NewSave = Omit<SaveDocument, '_id' | 'attempts' | 'claims' | 'isPublic' | 'lease' | 'queue' | 'replyId'> & {
  _id?: ObjectId;
};

/** `open`: not at its end; `asker`: the id of who asked. */
export interface SaveFilter {
  state?: SaveState | 'open' | undefined;
  asker?: string | undefined;
}

/** Requests to save. */
export class SaveStore {
  readonly #saves: Collection<SaveDocument>;
  readonly #clock: Pick<DatabaseClock, 'now'>;
  readonly #holder = randomUUID();

  constructor({ db, clock }: Pick<Database, 'db' | 'clock'>) {
    this.#clock = clock;
    this.#saves = db.collection<SaveDocument>('saves');
  }

  /** Takes requests in; what was taken in before, by its key, is left as it is. Answers how many are new. */
  async add(saves: readonly NewSave[]): Promise<number> {
    if (saves.length === 0) return 0;
    const documents = saves.map((save) => ({
      ...save,
      ...queued(save),
      _id: save._id ?? new ObjectId(),
      // What authors ask for is between them and this archive.
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

  /** What the same asker asked for and that has not come to its end. */
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

  /** The last of those whose keys begin with this one. */
  async findLatest(key: string): Promise<SaveDocument | null> {
    const [latest = null] = await this.#saves
      .find({ key: { $gte: key, $lt: `${key}~` } }, { projection: { fetched: 0 }, ...PROMPT })
      .sort({ createdAt: -1, _id: -1 })
      .limit(1)
      .toArray();
    return latest;
  }

  /** Undoes that a request was taken in. */
  async takeBack({ _id }: SaveDocument): Promise<void> {
    await this.#saves.deleteOne({ _id });
  }

  /** The request that a reply of ours answered. */
  findByReply(replyId: string): Promise<SaveDocument | null> {
    return this.#saves.findOne({ replyId }, { projection: { fetched: 0 } });
  }

  /** One page of what everybody may see, newest first, and how many there are, as far as they are counted. */
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

  /** Requests of a wallet that came to an end after it had been answered, the last end first. */
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
   * The request to these platforms that waits longest, for this process alone for a while; null where none is due. With
   * `wishes` one that an author's word is, which has not been tried yet.
   */
  claim(platforms: readonly SourcePlatform[], { wishes = false } = {}): Promise<SaveDocument | null> {
    return this.#claim({ queue: 'work', platform: { $in: [...platforms] } }, 'dueAt', wishes ? AT_ONCE : undefined);
  }

  /** The same of those that wait to be answered on a platform. */
  claimReply(platform: SaveDocument['platform']): Promise<SaveDocument | null> {
    return this.#claim({ queue: `reply on ${platform}` }, 'dueAt');
  }

  /** A request that is past its time and has not ended, for this process alone for a while. */
  claimLate(): Promise<SaveDocument | null> {
    return this.#claim({ state: { $in: [...OPEN_STATES] } }, 'endsAt');
  }

  /** The first whose time `field` has come and that nobody else has. */
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

  /** Keeps a claimed request for longer; nothing where somebody else has it by now. */
  async renew({ _id }: SaveDocument): Promise<void> {
    await this.#saves.updateOne({ _id, 'lease.holder': this.#holder }, [
      { $set: { 'lease.until': fromNow(LEASE_MS) } },
    ]);
  }

  /** What became of a claimed request; false where somebody else has it by now. */
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

  /** One that failed begins anew; false where it has not failed. */
  async retry(_id: ObjectId, ms: number): Promise<boolean> {
    const anew = { state: 'received', reason: null, attempts: 0, claims: 0, queue: 'work', reply: 'none' };
    const { modifiedCount } = await this.#saves.updateOne({ _id, state: 'failed' }, [
      { $set: { ...anew, dueAt: '$$NOW', endsAt: fromNow(ms) } },
      { $unset: ['lease', 'endedAt'] },
    ]);
    return modifiedCount === 1;
  }

  /** Whoever works on it finds that it is not theirs any more; false where all of it is stored, or it has ended. */
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

  /** Who was to be answered and could not be for a day is not any more. */
  async endReplies(now: Date): Promise<void> {
    const late = { reply: 'due' as const, endsAt: { $lt: now } };
    const ended = { reply: 'skipped' as const };
    await this.#saves.updateMany({ ...late, state: 'failed' }, { $set: ended, $unset: { queue: '' } });
    await this.#saves.updateMany({ ...late, state: { $in: [...OPEN_STATES] } }, { $set: { ...ended, queue: 'work' } });
  }

  /** All that a wallet has asked for, newest first. */
  walkAskedBy(wallet: string): AsyncIterable<SaveDocument> {
    return this.#saves.find(ofWallet(wallet), { projection: { fetched: 0 } }).sort({ createdAt: -1, _id: -1 });
  }

  countAskedBy(wallet: string): Promise<number> {
    return this.#saves.countDocuments(ofWallet(wallet));
  }

  /** Forgets who asked, of requests that a wallet had made by then; what was asked for stays. */
  async forgetAsker(wallet: string, until: Date): Promise<void> {
    // The key names the wallet too.
    const nameless = { 'askedBy.id': '', key: { $concat: ['forgotten ', { $toString: '$_id' }] } };
    await this.#saves.updateMany({ ...ofWallet(wallet), createdAt: { $lte: until } }, [{ $set: nameless }]);
  }

  /** The one that waits longest to be fetched or stored. */
  oldestUndone(): Promise<SaveDocument | null> {
    const undone = { state: { $in: ['received', 'fetched'] satisfies SaveState[] } };
    return this.#saves.findOne(undone, { sort: { endsAt: 1 }, projection: { fetched: 0 }, ...PROMPT });
  }

  /** How many there are, counted no further than `limit`: who asks ten thousand times costs no more than who asks twenty. */
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
