import { type Collection, type Db, type ObjectId, Timestamp } from 'mongodb';
import { INDEX_PROJECTION, type IndexSource } from '../archive-index/post-table.ts';
import type { StoredPost, Tombstone } from './post-document.ts';

/** The posts as the index reads them. */
export class PostsForIndex {
  readonly #posts: Collection<StoredPost>;

  constructor(db: Db) {
    this.#posts = db.collection<StoredPost>('posts');
  }

  /** Every live post, oldest first: what the index is built from. */
  readAll(batchSize: number): AsyncIterable<IndexSource> {
    return this.#posts
      .find({ timestamp: { $type: 'date' } }, { hint: 'time', batchSize })
      .sort({ timestamp: 1, _id: 1 })
      .project<IndexSource>(INDEX_PROJECTION);
  }

  /** Ids of what changed since a second, in the order of change; read from an index alone. */
  changesSince(second: number): AsyncIterable<Pick<Tombstone, '_id' | 'changedAt'>> {
    return this.#posts
      .find(
        { changedAt: { $gte: new Timestamp({ t: Math.max(0, second), i: 0 }) } },
        { hint: 'changed', batchSize: 10_000 },
      )
      .sort({ changedAt: 1, _id: 1 })
      .project<Pick<Tombstone, '_id' | 'changedAt'>>({ _id: 1, changedAt: 1 });
  }

  /** These as they are now; a removed one as its tombstone. */
  find(ids: readonly ObjectId[]): Promise<IndexSource[]> {
    return this.#posts
      .find({ _id: { $in: [...ids] } }, { batchSize: ids.length + 1 })
      .project<IndexSource>(INDEX_PROJECTION)
      .toArray();
  }

  /** Up to `limit` posts and tombstones after `after`, by `_id` ascending. */
  readPage(after: ObjectId | null, limit: number): Promise<IndexSource[]> {
    return this.#posts
      .find(after ? { _id: { $gt: after } } : {}, { hint: { _id: 1 }, batchSize: limit + 1, limit })
      .sort({ _id: 1 })
      .project<IndexSource>(INDEX_PROJECTION)
      .toArray();
  }

  /** Ids of every live post, ascending. */
  walkIds(): AsyncIterable<{ _id: ObjectId; removedAt?: Date }> {
    return this.#posts
      .find({}, { hint: { _id: 1 }, batchSize: 10_000 })
      .sort({ _id: 1 })
      .project<{ _id: ObjectId; removedAt?: Date }>({ _id: 1, removedAt: 1 });
  }
}
