import {
  INTERACTIONS_KEPT,
  type Interaction,
  NO_REACTIONS,
  type PostReactions,
  type ReactionCounts,
  type ReactionType,
} from '@archive/contracts';
import { type AnyBulkWriteOperation, type Collection, type Db, MongoBulkWriteError, type ObjectId } from 'mongodb';
import { Batcher } from '../db/batcher.ts';

const DUPLICATE_KEY = 11_000;

export interface ReactionDocument {
  post: ObjectId;
  wallet: string;
  type: ReactionType;
  createdAt: Date;
}

/** What a row is to be: there or not. */
export interface ReactionSetting extends Omit<ReactionDocument, 'createdAt'> {
  isOn: boolean;
  at: Date;
}

export interface ReactionOutcome {
  /** Whether this, or something set together with it, changed a row. */
  isChanged: boolean;
  reactions: PostReactions;
}

/** One row per post, wallet and type: the unique index decides, and counts are counted. */
export class ReactionStore {
  readonly #reactions: Collection<ReactionDocument>;
  readonly #changes = new Batcher((settings: ReactionSetting[]) => this.#setAll(settings));

  constructor(db: Db) {
    this.#reactions = db.collection<ReactionDocument>('reactions');
  }

  /** Sets one on or off. Repeating it changes nothing; of those that arrive at once for one row, the last stands. */
  set(setting: ReactionSetting): Promise<ReactionOutcome> {
    return this.#changes.ask(setting);
  }

  /** Where a post stands, for one wallet. */
  async read(post: ObjectId, wallet: string | undefined): Promise<PostReactions> {
    const [counts, given] = await Promise.all([
      this.countOf([post]),
      wallet === undefined ? new Map() : this.#givenBy([{ post, wallet }]),
    ]);
    return toReactions(counts, given, post, wallet);
  }

  async #setAll(settings: ReactionSetting[]): Promise<ReactionOutcome[]> {
    const rows = new Map<string, AnyBulkWriteOperation<ReactionDocument>>();
    for (const { post, wallet, type, isOn, at } of settings) {
      const filter = { post, wallet, type };
      rows.set(
        `${post.toHexString()} ${wallet} ${type}`,
        isOn
          ? { updateOne: { filter, update: { $setOnInsert: { createdAt: at } }, upsert: true } }
          : { deleteOne: { filter } },
      );
    }
    const isChanged = await this.#write([...rows.values()]);
    const [counts, given] = await Promise.all([
      this.countOf([...new Map(settings.map(({ post }) => [post.toHexString(), post])).values()]),
      this.#givenBy(settings),
    ]);
    return settings.map(({ post, wallet }) => ({ isChanged, reactions: toReactions(counts, given, post, wallet) }));
  }

  /** Answers whether any row changed. */
  async #write(operations: AnyBulkWriteOperation<ReactionDocument>[]): Promise<boolean> {
    try {
      const { upsertedCount, deletedCount } = await this.#reactions.bulkWrite(operations, { ordered: false });
      return upsertedCount + deletedCount > 0;
    } catch (error) {
      // Another process made the same row at the same moment: it is there, as was wanted.
      const isRace =
        error instanceof MongoBulkWriteError &&
        error.result.getWriteConcernError() === undefined &&
        error.result.getWriteErrors().every(({ code }) => code === DUPLICATE_KEY);
      if (isRace) return true;
      throw error;
    }
  }

  /** The types that each of these wallets has given to its post, by `givenKey`. */
  async #givenBy(pairs: { post: ObjectId; wallet: string }[]): Promise<Map<string, ReactionType[]>> {
    const given = new Map<string, ReactionType[]>();
    const rows = this.#reactions
      .find(
        { $or: pairs.map(({ post, wallet }) => ({ post, wallet })) },
        { hint: 'row', maxTimeMS: 2_500, batchSize: 5_000 },
      )
      .project<Pick<ReactionDocument, 'post' | 'wallet' | 'type'>>({ _id: 0, post: 1, wallet: 1, type: 1 });
    for await (const { post, wallet, type } of rows) {
      const key = givenKey(post, wallet);
      given.set(key, [...(given.get(key) ?? []), type]);
    }
    return given;
  }

  /** Counts of each of these posts, by hexadecimal id; posts without reactions are not in the map. */
  async countOf(posts: readonly ObjectId[]): Promise<Map<string, ReactionCounts>> {
    const counts = new Map<string, ReactionCounts>();
    if (posts.length === 0) return counts;
    const rows = this.#reactions.aggregate<{ _id: { post: ObjectId; type: ReactionType }; count: number }>(
      [
        { $match: { post: { $in: [...posts] } } },
        { $group: { _id: { post: '$post', type: '$type' }, count: { $sum: 1 } } },
      ],
      { hint: 'count', maxTimeMS: 2_500 },
    );
    for await (const { _id, count } of rows) {
      const key = _id.post.toHexString();
      counts.set(key, { ...(counts.get(key) ?? NO_REACTIONS), [_id.type]: count });
    }
    return counts;
  }

  /** Everything one wallet has given, newest first. */
  allGivenBy(wallet: string, limit: number): Promise<ReactionDocument[]> {
    return this.#reactions
      .find({ wallet }, { hint: 'given', maxTimeMS: 2_500 })
      .sort({ createdAt: -1 })
      .limit(limit)
      .toArray();
  }

  /** The wallet's latest reactions as its activity. */
  async latestOf(wallet: string): Promise<Interaction[]> {
    const rows = await this.allGivenBy(wallet, INTERACTIONS_KEPT);
    return rows.map(({ type, post, createdAt }) => ({
      type,
      archiveId: post.toHexString(),
      at: createdAt.toISOString(),
    }));
  }

  /** Who reacted to a post, oldest first, after a row. */
  listOf(post: ObjectId, after: { wallet: string; type: string } | null, limit: number): Promise<ReactionDocument[]> {
    const beyond = after
      ? {
          $or: [{ wallet: { $gt: after.wallet } }, { wallet: after.wallet, type: { $gt: after.type as ReactionType } }],
        }
      : {};
    return this.#reactions
      .find({ post, ...beyond }, { hint: 'row' })
      .sort({ wallet: 1, type: 1 })
      .limit(limit)
      .toArray();
  }
}

function givenKey(post: ObjectId, wallet: string): string {
  return `${post.toHexString()} ${wallet}`;
}

function toReactions(
  counts: Map<string, ReactionCounts>,
  given: Map<string, ReactionType[]>,
  post: ObjectId,
  wallet: string | undefined,
): PostReactions {
  return {
    ...(counts.get(post.toHexString()) ?? NO_REACTIONS),
    userReactions: wallet === undefined ? [] : (given.get(givenKey(post, wallet)) ?? []),
  };
}
