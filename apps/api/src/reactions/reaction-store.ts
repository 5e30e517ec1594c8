import {
  INTERACTIONS_KEPT,
  type Interaction,
  NO_REACTIONS,
  type ReactionCounts,
  type ReactionType,
} from '@archive/contracts';
import { type Collection, type Db, MongoServerError, type ObjectId } from 'mongodb';

export interface ReactionDocument {
  post: ObjectId;
  wallet: string;
  type: ReactionType;
  createdAt: Date;
}

/** One row per post, wallet and type: the unique index decides, and counts are counted. */
export class ReactionStore {
  readonly #reactions: Collection<ReactionDocument>;

  constructor(db: Db) {
    this.#reactions = db.collection<ReactionDocument>('reactions');
  }

  /** Repeating it changes nothing; answers whether it changed something. */
  async add(reaction: ReactionDocument): Promise<boolean> {
    try {
      await this.#reactions.insertOne({ ...reaction });
      return true;
    } catch (error) {
      if (error instanceof MongoServerError && error.code === 11_000) return false;
      throw error;
    }
  }

  /** Repeating it changes nothing; answers whether it changed something. */
  async remove(reaction: Pick<ReactionDocument, 'post' | 'wallet' | 'type'>): Promise<boolean> {
    return (await this.#reactions.deleteOne(reaction)).deletedCount > 0;
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

  async givenBy(wallet: string, post: ObjectId): Promise<ReactionType[]> {
    const rows = await this.#reactions.find({ post, wallet }).project<{ type: ReactionType }>({ type: 1 }).toArray();
    return rows.map((row) => row.type);
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
