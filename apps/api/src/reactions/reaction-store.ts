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

/** What a row is to be: there or not. */
export interface ReactionSetting extends Omit<ReactionDocument, 'createdAt'> {
  isOn: boolean;
  at: Date;
}

/** One row per post, wallet and type: the unique index decides, and counts are counted. */
export class ReactionStore {
  readonly #reactions: Collection<ReactionDocument>;

  constructor(db: Db) {
    this.#reactions = db.collection<ReactionDocument>('reactions');
  }

  /** Where a post stands, for one wallet. */
  async read(post: ObjectId, wallet: string | undefined): Promise<PostReactions> {
    const [counts, given] = await Promise.all([
      this.countOf([post]),
      wallet === undefined ? new Map() : this.#givenBy([{ post, wallet }]),
    ]);
    return toReactions(counts, given, post, wallet);
  }

  /**
   * Sets rows on or off, and answers whether any changed and where each setting's post stands for its wallet. Repeating
   * it changes nothing; of several settings of one row the last stands.
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

  /** Answers how many were not there yet. */
  async #add(rows: ReactionSetting[]): Promise<number> {
    if (rows.length === 0) return 0;
    const documents = rows.map(({ post, wallet, type, at }) => ({ post, wallet, type, createdAt: at }));
    try {
      return (await this.#reactions.insertMany(documents, { ordered: false, ...PROMPT })).insertedCount;
    } catch (error) {
      // What is there already is there, as was wanted. A broken connection comes as an error of this kind without a code.
      const isRepeat =
        error instanceof MongoBulkWriteError &&
        isDuplicateKey(error) &&
        error.result.getWriteConcernError() === undefined &&
        error.result.getWriteErrors().every(isDuplicateKey);
      if (isRepeat) return error.insertedCount;
      throw error;
    }
  }

  /** Answers how many were there. */
  async #remove(rows: ReactionSetting[]): Promise<number> {
    if (rows.length === 0) return 0;
    const either = rows.map(({ post, wallet, type }) => ({ post, wallet, type }));
    return (await this.#reactions.deleteMany({ $or: either }, PROMPT)).deletedCount;
  }

  /** The types that each of these wallets has given to its post, by `givenKey`. */
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

  /** Counts of each of these posts, by hexadecimal id; posts without reactions are not in the map. */
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

  /** Everything one wallet has given, newest first. */
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

  /** The same as `allGivenBy`, however many there are. */
  walkGivenBy(wallet: string): AsyncIterable<ReactionDocument> {
    return this.#reactions.find({ wallet }, { hint: 'given' }).sort({ createdAt: -1 });
  }

  /** Takes back some of what a wallet had given by then, and answers to which posts. */
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
