import {
  INTERACTIONS_KEPT,
  type Interaction,
  NO_REACTIONS,
  type PostReactions,
  type ReactionCounts,
  type ReactionType,
} from '@archive/contracts';
import { type Collection, type Db, MongoBulkWriteError, type ObjectId } from 'mongodb';
import { isDuplicateKey, PROMPT } from '../db/database.ts';

export interface ReactionDocument {
  post: ObjectId;
  wallet: string;
  type: ReactionType;
  createdAt: Date;
}

/** The wanted state of a row: present or not. */
export interface ReactionSetting extends Omit<ReactionDocument, 'createdAt'> {
  isOn: boolean;
  at: Date;
}

/** One row for each post, wallet and type. The unique index prevents duplicates, and totals are counted from rows. */
export class ReactionStore {
  readonly #reactions: Collection<ReactionDocument>;

  constructor(db: Db) {
    this.#reactions = db.collection<ReactionDocument>('reactions');
  }

  /** The counts of a post, and the reactions of one wallet. */
  async read(post: ObjectId, wallet: string | undefined): Promise<PostReactions> {
    const [counts, given] = await Promise.all([
      this.countOf([post]),
      wallet === undefined ? new Map() : this.#givenBy([{ post, wallet }]),
    ]);
    return toReactions(counts, given, post, wallet);
  }

  /**
   * Sets or removes rows. Returns whether any changed, and for each setting the counts of its post with its wallet's
   * reactions. Idempotent; of several settings of one row the last counts.
   */
  async set(settings: readonly ReactionSetting[]): Promise<{ isChanged: boolean; standings: PostReactions[] }> {
    const rows = [...new Map(settings.map((row) => [rowKey(row), row])).values()];
    const changed = await Promise.all([
      this.#add(rows.filter(({ isOn }) => isOn)),
      this.#remove(rows.filter(({ isOn }) => !isOn)),
    ]);
    const [counts, given] = await Promise.all([
      this.countOf([...new Map(settings.map(({ post }) => [post.toHexString(), post])).values()]),
      this.#givenBy(settings),
    ]);
    return {
      isChanged: changed.some((count) => count > 0),
      standings: settings.map(({ post, wallet }) => toReactions(counts, given, post, wallet)),
    };
  }

  /** Returns the number of new rows. */
  async #add(rows: ReactionSetting[]): Promise<number> {
    if (rows.length === 0) return 0;
    const documents = rows.map(({ post, wallet, type, at }) => ({ post, wallet, type, createdAt: at }));
    try {
      return (await this.#reactions.insertMany(documents, { ordered: false, ...PROMPT })).insertedCount;
    } catch (error) {
      // Existing rows are fine. A broken connection causes the same class of error, but without a code.
      const isRepeat =
        error instanceof MongoBulkWriteError &&
        isDuplicateKey(error) &&
        error.result.getWriteConcernError() === undefined &&
        error.result.getWriteErrors().every(isDuplicateKey);
      if (isRepeat) return error.insertedCount;
      throw error;
    }
  }

  /** Returns the number of deleted rows. */
  async #remove(rows: ReactionSetting[]): Promise<number> {
    if (rows.length === 0) return 0;
    const either = rows.map(({ post, wallet, type }) => ({ post, wallet, type }));
    return (await this.#reactions.deleteMany({ $or: either }, PROMPT)).deletedCount;
  }

  /** The types that each wallet has given to its post, by `givenKey`. */
  async #givenBy(pairs: readonly { post: ObjectId; wallet: string }[]): Promise<Map<string, ReactionType[]>> {
    const given = new Map<string, ReactionType[]>();
    if (pairs.length === 0) return given;
    const rows = this.#reactions
      .find({ $or: pairs.map(({ post, wallet }) => ({ post, wallet })) }, { hint: 'row', batchSize: 5_000, ...PROMPT })
      .project<Pick<ReactionDocument, 'post' | 'wallet' | 'type'>>({ _id: 0, post: 1, wallet: 1, type: 1 });
    for await (const { post, wallet, type } of rows) {
      const key = givenKey(post, wallet);
      given.set(key, [...(given.get(key) ?? []), type]);
    }
    return given;
  }

  /** Counts for each post, by hexadecimal id; posts without reactions are not in the map. */
  async countOf(posts: readonly ObjectId[]): Promise<Map<string, ReactionCounts>> {
    const counts = new Map<string, ReactionCounts>();
    if (posts.length === 0) return counts;
    const rows = this.#reactions.aggregate<{ _id: { post: ObjectId; type: ReactionType }; count: number }>(
      [
        { $match: { post: { $in: [...posts] } } },
        { $group: { _id: { post: '$post', type: '$type' }, count: { $sum: 1 } } },
      ],
      { hint: 'count', ...PROMPT },
    );
    for await (const { _id, count } of rows) {
      const key = _id.post.toHexString();
      counts.set(key, { ...(counts.get(key) ?? NO_REACTIONS), [_id.type]: count });
    }
    return counts;
  }

  /** A wallet's reactions, newest first. */
  allGivenBy(wallet: string, limit: number): Promise<ReactionDocument[]> {
    return this.#reactions
      .find({ wallet }, { hint: 'given', maxTimeMS: 2_500 })
      .sort({ createdAt: -1 })
      .limit(limit)
      .toArray();
  }

  countGivenBy(wallet: string): Promise<number> {
    return this.#reactions.countDocuments({ wallet });
  }

  /** All of a wallet's reactions, newest first, without a limit. */
  walkGivenBy(wallet: string): AsyncIterable<ReactionDocument> {
    return this.#reactions.find({ wallet }, { hint: 'given' }).sort({ createdAt: -1 });
  }

  /** Deletes up to `limit` reactions that a wallet had given by `until`. Returns their posts. */
  async dropSome(wallet: string, until: Date, limit: number): Promise<ObjectId[]> {
    const found = await this.#reactions
      .find({ wallet, createdAt: { $lte: until } }, { hint: 'given' })
      .limit(limit)
      .toArray();
    await this.#reactions.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
    return found.map(({ post }) => post);
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

  /** Reactions to a post, ordered by wallet and type, after a row. */
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

function rowKey({ post, wallet, type }: Omit<ReactionDocument, 'createdAt'>): string {
  return `${givenKey(post, wallet)} ${type}`;
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
