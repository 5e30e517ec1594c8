import type { SortOrder } from '@archive/contracts';
import type { IndexedPost } from '@archive/search';
import { type Collection, type Db, type Filter, type FindOptions, type ObjectId, Timestamp } from 'mongodb';
import type { ReactionCounter } from './answer-posts.ts';
import { INDEX_PROJECTION, type IndexSource, toIndexedPost } from './indexed-source.ts';
import type { StoredPost, Tombstone } from './post-document.ts';

const CHECK_PAGE = 2_000;

/** Reads posts for the index, each with its number of reactions at that time. */
export class PostsForIndex {
  readonly #posts: Collection<StoredPost>;
  readonly #reactions: ReactionCounter['store'];

  constructor(db: Db, reactions: ReactionCounter['store']) {
    this.#posts = db.collection<StoredPost>('posts');
    this.#reactions = reactions;
  }

  /** Every live post in batches, by time, for a build. */
  async *readAll(batchSize: number, order: SortOrder): AsyncGenerator<IndexSource[]> {
    const posts = this.#posts
      .find({ timestamp: { $type: 'date' } }, { hint: 'time', batchSize })
      .sort({ timestamp: order, _id: order })
      .project<IndexSource>(INDEX_PROJECTION);
    try {
      // The reactions of one batch are counted while the next batch is read.
      let counting = this.#counted([]);
      while (await posts.hasNext()) {
        const counted = counting;
        counting = this.#counted(posts.readBufferedDocuments());
        // A rejection surfaces at the `await`; until then it must not count as unhandled.
        counting.catch(() => {});
        yield await counted;
      }
      yield await counting;
    } finally {
      await posts.close();
    }
  }

  /** Ids of the posts that changed since a second, in the order of change. A covered query. */
  changesSince(second: number): AsyncIterable<Pick<Tombstone, '_id' | 'changedAt'>> {
    return this.#posts
      .find(changedSince(second), { hint: 'changed', batchSize: 10_000 })
      .sort({ changedAt: 1, _id: 1 })
      .project<Pick<Tombstone, '_id' | 'changedAt'>>({ _id: 1, changedAt: 1 });
  }

  /** Number of changes since a second, counted up to `most`. */
  countChanges(second: number, most: number): Promise<number> {
    return this.#posts.countDocuments(changedSince(second), { hint: 'changed', limit: Math.ceil(most) });
  }

  /** Tombstones of posts that were removed since a second. */
  removedSince(second: number): Promise<IndexSource[]> {
    return this.#posts
      .find({ ...changedSince(second), removedAt: { $exists: true } }, { hint: 'changed' })
      .project<IndexSource>(INDEX_PROJECTION)
      .toArray();
  }

  /** These posts as they are now; a removed post as its tombstone. */
  find(ids: readonly ObjectId[]): Promise<IndexSource[]> {
    return this.#read({ _id: { $in: [...ids] } }, { batchSize: ids.length + 1 });
  }

  /** Up to `limit` posts and tombstones after `after`, by `_id` ascending. */
  readPage(after: ObjectId | null, limit: number): Promise<IndexSource[]> {
    const options = { hint: { _id: 1 }, sort: { _id: 1 }, batchSize: limit + 1, limit } as const;
    return this.#read(after ? { _id: { $gt: after } } : {}, options);
  }

  /** The live posts of these threads as they are now. */
  async findThreads(roots: readonly string[]): Promise<IndexedPost[]> {
    const posts = await this.#read({ threadRoot: { $in: [...roots] }, removedAt: { $exists: false } });
    return posts.map(toIndexedPost);
  }

  async #read(filter: Filter<StoredPost>, options: FindOptions = {}): Promise<IndexSource[]> {
    const posts = this.#posts.find(filter, options).project<IndexSource>(INDEX_PROJECTION);
    return this.#counted(await posts.toArray());
  }

  /** Every live post, by `_id` ascending. */
  async *walkLive(): AsyncGenerator<IndexedPost> {
    for (let after: ObjectId | null = null; ; ) {
      const page: IndexSource[] = await this.readPage(after, CHECK_PAGE);
      yield* page.filter(({ removedAt }) => !removedAt).map(toIndexedPost);
      if (page.length < CHECK_PAGE) return;
      after = page.at(-1)?._id ?? null;
    }
  }

  /**
   * Counts reactions after the posts were read. A writer stamps the post after it changes a reaction, so the follower
   * applies what this count misses.
   */
  async #counted(posts: IndexSource[]): Promise<IndexSource[]> {
    const counts = await this.#reactions.countOf(posts.map(({ _id }) => _id));
    return posts.map((post) => {
      const counted = Object.values(counts.get(post._id.toHexString()) ?? {});
      return { ...post, reactions: counted.reduce((sum, count) => sum + count, 0) };
    });
  }
}

function changedSince(second: number): Filter<StoredPost> {
  return { changedAt: { $gte: new Timestamp({ t: Math.max(0, second), i: 0 }) } };
}
