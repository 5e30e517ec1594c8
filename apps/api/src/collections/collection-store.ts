import { COLLECTION_POSTS, COLLECTIONS } from '@archive/contracts';
import type { Collection, Db, ObjectId, WithoutId } from 'mongodb';
import { isDuplicateKey, PROMPT } from '../db/database.ts';

export interface CollectionDocument {
  _id: ObjectId;
  wallet: string;
  name: string;
  isPublic: boolean;
  createdAt: Date;
  changedAt: Date;
}

interface Row {
  collection: ObjectId;
  post: ObjectId;
  at: Date;
}

interface Summary {
  posts: number;
  latest: ObjectId[];
}

/** Named lists of posts, and their rows. */
export class CollectionStore {
  readonly #collections: Collection<WithoutId<CollectionDocument>>;
  readonly #rows: Collection<Row>;

  constructor(db: Db) {
    this.#collections = db.collection<WithoutId<CollectionDocument>>('collections');
    this.#rows = db.collection<Row>('collection_posts');
  }

  find(_id: ObjectId): Promise<CollectionDocument | null> {
    return this.#collections.findOne({ _id });
  }

  /** A wallet's collections, the last changed first. */
  of(wallet: string): Promise<CollectionDocument[]> {
    return this.#collections.find({ wallet }).sort({ changedAt: -1 }).limit(COLLECTIONS).toArray();
  }

  /**
   * Null if the wallet has the most collections allowed. Of several simultaneous calls, fewer may succeed than allowed.
   */
  async add(collection: WithoutId<CollectionDocument>): Promise<CollectionDocument | null> {
    const { wallet } = collection;
    const count = () => this.#collections.countDocuments({ wallet }, { limit: COLLECTIONS + 1 });
    if ((await count()) >= COLLECTIONS) return null;
    const { insertedId } = await this.#collections.insertOne({ ...collection });
    if ((await count()) <= COLLECTIONS) return { ...collection, _id: insertedId };
    await this.#collections.deleteOne({ _id: insertedId });
    return null;
  }

  /** Null if the wallet has no such collection. */
  change(wallet: string, _id: ObjectId, change: Partial<CollectionDocument>): Promise<CollectionDocument | null> {
    return this.#collections.findOneAndUpdate({ _id, wallet }, { $set: change }, { returnDocument: 'after' });
  }

  async drop(wallet: string, _id: ObjectId): Promise<void> {
    const { deletedCount } = await this.#collections.deleteOne({ _id, wallet });
    if (deletedCount > 0) await this.#rows.deleteMany({ collection: _id });
  }

  /** Deletes all that a wallet had created by `until`. */
  async dropAll(wallet: string, until: Date): Promise<void> {
    const made = { wallet, createdAt: { $lte: until } };
    const found = await this.#collections.find(made, { projection: { _id: 1 } }).toArray();
    const rows = { collection: { $in: found.map(({ _id }) => _id) } };
    // Rows go first, since they cannot be found after their collection is gone. They go again afterwards, for rows
    // added meanwhile.
    await this.#rows.deleteMany(rows);
    await this.#collections.deleteMany(made);
    await this.#rows.deleteMany(rows);
  }

  countOf(wallet: string): Promise<number> {
    return this.#collections.countDocuments({ wallet });
  }

  /** True also if the post is in the collection already; false if the collection is full. */
  async put(collection: ObjectId, post: ObjectId, at: Date): Promise<boolean> {
    const count = () => this.#rows.countDocuments({ collection }, { limit: COLLECTION_POSTS + 1 });
    const isIn = async () => (await this.#rows.findOne({ collection, post })) !== null;
    if ((await count()) >= COLLECTION_POSTS) return isIn();
    try {
      await this.#rows.insertOne({ collection, post, at });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return true;
    }
    if ((await count()) <= COLLECTION_POSTS) return true;
    await this.#rows.deleteOne({ collection, post });
    return false;
  }

  async take(collection: ObjectId, posts: readonly ObjectId[]): Promise<void> {
    await this.#rows.deleteMany({ collection, post: { $in: [...posts] } });
  }

  /** For each collection, the number of posts and the `latest` added ones. Empty collections are not in the answer. */
  async summaries(collections: readonly ObjectId[], latest: number): Promise<Map<string, Summary>> {
    const rows = this.#rows.aggregate<Summary & { _id: ObjectId }>(
      [
        { $match: { collection: { $in: [...collections] } } },
        { $sort: { collection: 1, at: -1, post: 1 } },
        {
          $group: { _id: '$collection', posts: { $sum: 1 }, latest: { $firstN: { input: '$post', n: latest } } },
        },
      ],
      { hint: 'order', batchSize: collections.length + 1, ...PROMPT },
    );
    return new Map((await rows.toArray()).map(({ _id, ...summary }) => [_id.toHexString(), summary]));
  }

  /** Removes posts from all collections after they were removed for good. */
  async dropPosts(posts: readonly ObjectId[]): Promise<void> {
    await this.#rows.deleteMany({ post: { $in: [...posts] } });
  }

  /** The posts of a collection, the last added first. */
  async posts(collection: ObjectId, { skip = 0, limit = COLLECTION_POSTS } = {}): Promise<ObjectId[]> {
    const rows = this.#rows.find({ collection }).sort({ at: -1, post: 1 }).skip(skip).limit(limit);
    return (await rows.toArray()).map(({ post }) => post);
  }
}
