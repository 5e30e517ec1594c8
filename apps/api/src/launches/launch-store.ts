import { type Collection, type Db, ObjectId } from 'mongodb';
import { isDuplicateKey, PROMPT } from '../db/database.ts';
import {
  HOLDING,
  LAUNCHED,
  type LaunchDocument,
  type LaunchState,
  RELEASED,
  UNDER_WAY,
  withoutWords,
} from './launch-document.ts';

const MAX_SHOWN = 500;
const DAY_MS = 86_400_000;

/** Number of launches in a day, in total or of one wallet. */
interface LaunchCount {
  _id: string;
  count: number;
  expiresAt: Date;
}

export interface Budget {
  /** `all`, or a wallet. */
  who: string;
  cap: number;
}

type Changes = Partial<Omit<LaunchDocument, '_id' | 'claim' | 'state' | 'attempt'>>;

/**
 * Matches launches that contain text of their post. Metadata always has a description, and quotes within names are
 * escaped.
 */
const WORDED = { $or: [{ description: { $ne: '' } }, { metadata: { $not: /"description":""/ } }] };
const WALKED_AT_ONCE = 500;

/** One launch per post. The document's `_id` is the post's, so that of several claims one succeeds. */
export class LaunchStore {
  readonly launches: Collection<LaunchDocument>;
  readonly #counts: Collection<LaunchCount>;

  constructor(db: Db) {
    this.launches = db.collection<LaunchDocument>('launches');
    this.#counts = db.collection<LaunchCount>('launch_counts');
  }

  find(post: ObjectId): Promise<LaunchDocument | null> {
    return this.launches.findOne({ _id: post });
  }

  findByMint(mint: string): Promise<LaunchDocument | null> {
    return this.launches.findOne({ mint });
  }

  /** Claims the post for this launch. Returns false if another launch holds it. */
  async claim(launch: LaunchDocument): Promise<boolean> {
    const { _id, ...fields } = launch;
    try {
      const { matchedCount, upsertedCount } = await this.launches.replaceOne(
        { _id, state: { $in: [...RELEASED] }, shown: false },
        fields,
        { upsert: true },
      );
      return matchedCount + upsertedCount === 1;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  /**
   * Restores a launch from the ledger if the database knows only earlier attempts, or this attempt only as unsigned.
   * Its post must not be marked as launched.
   */
  async putBack({ _id, ...fields }: LaunchDocument): Promise<boolean> {
    const { attempt } = fields;
    const unsigned = [{ transaction: null }, { state: 'claimed' as const }];
    const isBehind = { _id, $or: [{ attempt: { $lt: attempt } }, ...unsigned.map((one) => ({ attempt, ...one }))] };
    try {
      await this.launches.replaceOne(isBehind, { ...fields, shown: false }, { upsert: true });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  /** Launches that a restore has put back without the text of their posts. */
  readRestored(): AsyncIterable<LaunchDocument> {
    return this.launches.find({ 'restored.ids': { $exists: true } });
  }

  /** Restores the text of the post in the launch. The post is then marked again as the state says. */
  async giveWords({ _id, claim }: LaunchDocument, words: Pick<LaunchDocument, 'description' | 'metadata'>) {
    const change = { $set: { ...words, shown: false }, $unset: { restored: '' as const } };
    await this.launches.updateOne({ _id, claim, restored: { $exists: true } }, change);
  }

  /** Releases all claims. Used after a restore, when no process is preparing a launch. */
  releaseClaims(failure: string, changedAt: Date): Promise<unknown> {
    return this.launches.updateMany({ state: 'claimed' }, { $set: { state: 'failed', failure, changedAt } });
  }

  /** Changes the state of a launch. Returns null if its state is none of `from`, or if a new claim has replaced it. */
  move(
    { _id, claim }: Pick<LaunchDocument, '_id' | 'claim'>,
    from: readonly LaunchState[],
    state: LaunchState,
    changes: Changes,
  ): Promise<LaunchDocument | null> {
    return this.launches.findOneAndUpdate(
      { _id, claim, state: { $in: [...from] } },
      { $set: { ...changes, state } },
      { returnDocument: 'after' },
    );
  }

  /** Stores since when the chain no longer shows a confirmed launch; null if it shows it. */
  setMissing({ _id, claim }: LaunchDocument, since: Date | null): Promise<unknown> {
    return this.launches.updateOne({ _id, claim, state: 'confirmed' }, { $set: { missingSince: since } });
  }

  /** Records that the post is marked as the state says. Returns false if the state has changed meanwhile. */
  async markShown({ _id, claim, state }: LaunchDocument, shown: boolean): Promise<boolean> {
    const { matchedCount } = await this.launches.updateOne({ _id, claim, state }, { $set: { shown } });
    return matchedCount === 1;
  }

  /** Claims without progress since `before`. */
  findAbandoned(before: Date): Promise<LaunchDocument[]> {
    return this.launches
      .find({ state: 'claimed', changedAt: { $lt: before } })
      .limit(1_000)
      .toArray();
  }

  findUnderWay(): Promise<LaunchDocument[]> {
    return this.launches
      .find({ state: { $in: [...UNDER_WAY] } })
      .limit(1_000)
      .toArray();
  }

  findUnfinalized(): Promise<LaunchDocument[]> {
    return this.launches.find({ state: 'confirmed' }).limit(1_000).toArray();
  }

  /** Launches whose post is not marked as their state says. */
  findUnshown(): Promise<LaunchDocument[]> {
    const either = [
      { state: { $in: [...LAUNCHED] }, shown: false },
      { state: { $nin: [...LAUNCHED] }, shown: true },
    ];
    return this.launches.find({ $or: either }).limit(1_000).toArray();
  }

  /** Ids of posts whose launches contain their text, in batches. */
  async *walkWorded(): AsyncGenerator<ObjectId[]> {
    const found = this.launches.find(WORDED, { projection: { _id: 1 }, batchSize: WALKED_AT_ONCE });
    let batch: ObjectId[] = [];
    for await (const { _id } of found) {
      if (batch.push(_id) < WALKED_AT_ONCE) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  }

  /**
   * Deletes the text of removed posts from their launches. Returns the launches that contained text, as they were
   * before.
   */
  async forgetWords(posts: readonly ObjectId[]): Promise<LaunchDocument[]> {
    const worded = await this.launches.find({ _id: { $in: [...posts] }, ...WORDED }).toArray();
    for (const { _id, claim, metadata } of worded) {
      const blank = { description: '', metadata: withoutWords(metadata) };
      // A launch that was signed meanwhile has new metadata; the next walk finds it.
      await this.launches.updateOne({ _id, claim, metadata }, { $set: blank });
    }
    return worded;
  }

  /** Every launch of a wallet, also failed ones, newest first. */
  walkOf(wallet: string): AsyncIterable<LaunchDocument> {
    return this.launches.find({ wallet }).sort({ createdAt: -1 });
  }

  countOf(wallet: string): Promise<number> {
    return this.launches.countDocuments({ wallet });
  }

  /** Launches of a wallet that are done or under way, newest first. */
  of(wallet: string): Promise<LaunchDocument[]> {
    return this.launches
      .find({ wallet, state: { $in: [...HOLDING] } })
      .sort({ createdAt: -1, _id: -1 })
      .limit(MAX_SHOWN)
      .toArray();
  }

  /** Launches of all wallets, the last changed first. */
  list(
    { state, after }: { state?: LaunchState | undefined; after?: { at: Date; id: string } | undefined },
    limit: number,
  ): Promise<LaunchDocument[]> {
    const later = after && [
      { changedAt: { $lt: after.at } },
      { changedAt: after.at, _id: { $lt: new ObjectId(after.id) } },
    ];
    const query = { ...(state && { state }), ...(later && { $or: later }) };
    return this.launches.find(query, PROMPT).sort({ changedAt: -1, _id: -1 }).limit(limit).toArray();
  }

  /** Number of launches confirmed since a time. */
  countSince(since: Date): Promise<number> {
    return this.launches.countDocuments({ confirmedAt: { $gte: since }, state: { $in: [...LAUNCHED] } });
  }

  /** Launches on the chain, newest first. */
  newest(): AsyncIterable<LaunchDocument> {
    return this.launches
      .find({ confirmedAt: { $type: 'date' }, state: { $in: [...LAUNCHED] } }, { batchSize: 5 })
      .sort({ confirmedAt: -1 });
  }

  /** How many launches each budget has left today. */
  async left(budgets: readonly Budget[], now: Date): Promise<number[]> {
    if (budgets.length === 0) return [];
    const ids = budgets.map(({ who }) => countId(who, now));
    const counts = await this.#counts.find({ _id: { $in: ids } }).toArray();
    return budgets.map(({ cap }, at) => cap - (counts.find(({ _id }) => _id === ids[at])?.count ?? 0));
  }

  /**
   * Counts a launch against all budgets and returns null. If a budget is spent, it counts against none and returns that
   * budget.
   */
  async spend(budgets: readonly Budget[], now: Date): Promise<Budget | null> {
    for (const [at, budget] of budgets.entries()) {
      if (await this.#spendOne(budget, now)) continue;
      await this.giveBack(budgets.slice(0, at), now);
      return budget;
    }
    return null;
  }

  /** Takes back the count of a launch that failed before anything was sent. */
  async giveBack(budgets: readonly Budget[], now: Date): Promise<void> {
    for (const { who } of budgets) {
      await this.#counts.updateOne({ _id: countId(who, now), count: { $gt: 0 } }, { $inc: { count: -1 } });
    }
  }

  async #spendOne({ who, cap }: Budget, now: Date): Promise<boolean> {
    if (cap <= 0) return false;
    const belowCap = { _id: countId(who, now), count: { $lt: cap } };
    const change = { $inc: { count: 1 }, $setOnInsert: { expiresAt: new Date(now.getTime() + 2 * DAY_MS) } };
    try {
      await this.#counts.updateOne(belowCap, change, { upsert: true });
      return true;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
    // The counter exists by now: the budget is spent, or another call created the counter at the same moment.
    return (await this.#counts.updateOne(belowCap, change)).modifiedCount === 1;
  }
}

/** Seconds until the next UTC day, when the budgets start again. */
export function secondsOfDayLeft(now: Date): number {
  return Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1000);
}

function countId(who: string, now: Date): string {
  return `${now.toISOString().slice(0, 10)} ${who}`;
}
