import type { Collection, Db, ObjectId } from 'mongodb';
import { type LedgerWriter, NO_LEDGER } from '../ledger/ledger-entry.ts';
import type { PostDocument, StoredPost } from './post-document.ts';

/** Posts in one ledger entry. */
const DROPPED_AT_ONCE = 1_000;

export interface SavedByKey {
  posts: number;
  /** Ids that the key added to posts which other senders had saved. */
  aliases: number;
  /** Posts of the key that a payment features. */
  featured: number;
  launched: number;
  /** The last posts of the key. */
  sample: PostDocument[];
}

/**
 * The posts that one agent key saved and that are not removed. Posts that were saved before the archive recorded keys
 * are missing.
 */
export class PostsOfKey {
  readonly #posts: Collection<StoredPost>;
  readonly #key: string;
  readonly #ledger: LedgerWriter;

  constructor(db: Db, key: string, ledger: LedgerWriter = NO_LEDGER) {
    this.#posts = db.collection<StoredPost>('posts');
    this.#key = key;
    this.#ledger = ledger;
  }

  async summarise(sampleSize: number): Promise<SavedByKey> {
    const count = (filter: object) => this.#posts.countDocuments({ savedBy: this.#key, ...filter });
    const sample = this.#posts.find({ savedBy: this.#key }).sort({ createdAt: -1 }).limit(sampleSize).toArray();
    return {
      posts: await count({}),
      aliases: await this.#posts.countDocuments({ 'aliases.savedBy': this.#key }),
      featured: await count({ featuredPayment: { $exists: true } }),
      launched: await count({ launched: true }),
      sample: (await sample) as PostDocument[],
    };
  }

  async *ids(): AsyncGenerator<ObjectId> {
    for await (const { _id } of this.#posts.find({ savedBy: this.#key }, { projection: { _id: 1 } })) yield _id;
  }

  /** Removes the aliases that the key added to other senders' posts. Other posts may then use those ids. */
  async dropAliases(): Promise<void> {
    for (;;) {
      const sharing = (await this.#posts
        .find({ 'aliases.savedBy': this.#key }, { projection: { aliases: 1 } })
        .limit(DROPPED_AT_ONCE)
        .toArray()) as Pick<PostDocument, 'aliases'>[];
      const aliases = sharing.flatMap((post) => post.aliases ?? []).filter(({ savedBy }) => savedBy === this.#key);
      if (aliases.length === 0) return;
      const ids = aliases.map(({ id }) => id);
      await this.#ledger.record({ kind: 'aliases-dropped', key: this.#key, ids });
      await this.dropAgain(ids);
    }
  }

  /** Removes only these aliases of the key, since the key may have added others since. */
  async dropAgain(ids: readonly string[]): Promise<void> {
    const isDropped = { $and: [{ $eq: ['$$this.savedBy', this.#key] }, { $in: ['$$this.id', [...ids]] }] };
    const aliases = { $filter: { input: '$aliases', cond: { $not: [isDropped] } } };
    await this.#posts.updateMany({ ids: { $in: [...ids] }, 'aliases.savedBy': this.#key }, [
      { $set: { aliases } },
      { $set: { ids: { $concatArrays: [['$id'], '$aliases.id'] } } },
    ]);
  }
}
