import { type Category, languageOf, type PostLink } from '@archive/contracts';
import type { Collection, Db, Filter, ObjectId } from 'mongodb';
import { CHANGED, type PostDocument, type StoredPost } from './post-document.ts';

const BATCH = 1_000;
const FIELDS = { content: 1, links: 1, authorUsername: 1, language: 1, metadata: 1 } as const;

/** The fields that decide the category of a post. */
interface Words {
  content: string;
  links: readonly PostLink[];
  authorHandle: string;
  language: string | null;
}

/** The kept posts without a category. */
export class UncategorisedPosts {
  readonly #posts: Collection<StoredPost>;

  constructor(db: Db) {
    this.#posts = db.collection<StoredPost>('posts');
  }

  count(): Promise<number> {
    return this.#posts.countDocuments(WITHOUT);
  }

  /**
   * Sets the category that `choose` finds for each post, if it finds one. Yields after each batch how many posts were
   * read and how many now have a category. A category that was set meanwhile stays.
   */
  async *categorise(choose: (post: Words) => Category | null): AsyncGenerator<{ seen: number; given: number }> {
    const posts = this.#posts.find(WITHOUT, { hint: { _id: 1 }, batchSize: BATCH }).project<PostDocument>(FIELDS);
    let batch: { _id: ObjectId; category: Category }[] = [];
    let seen = 0;
    let given = 0;
    for await (const post of posts) {
      const { _id, content, links = [], authorUsername: authorHandle } = post;
      const category = choose({ content, links, authorHandle, language: languageOf(post) });
      seen++;
      if (category) batch.push({ _id, category });
      if (seen % BATCH > 0) continue;
      given += await this.#write(batch);
      batch = [];
      yield { seen, given };
    }
    given += await this.#write(batch);
    yield { seen, given };
  }

  async #write(batch: readonly { _id: ObjectId; category: Category }[]): Promise<number> {
    if (batch.length === 0) return 0;
    const { modifiedCount } = await this.#posts.bulkWrite(
      batch.map(({ _id, category }) => ({
        updateOne: { filter: { ...WITHOUT, _id }, update: { $set: { category }, $currentDate: CHANGED } },
      })),
      { ordered: false },
    );
    return modifiedCount;
  }
}

const WITHOUT = { category: null, removedAt: { $exists: false } } as Filter<StoredPost>;
