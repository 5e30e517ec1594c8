import type { RemovalSelection } from '@archive/contracts';
import { type Collection, type Db, type Filter, ObjectId } from 'mongodb';
import { isObjectId, type PostDocument, type StoredPost } from '../posts/post-document.ts';

/** Long, since finding an author's posts may scan all posts. */
const LOOK_MS = 60_000;
const ASKED_AT_ONCE = 500;
/** Permanent account ids: digits on X, a DID on Bluesky. A handle of that form must be given with its `@`. */
const PLATFORM_ID = /^(\d+|did:.+)$/;

export interface SelectedPosts {
  posts: number;
  /** Posts that a payment features. */
  featured: number;
  launched: number;
  /** The latest posts. */
  sample: PostDocument[];
}

type Sealed = { _id: ObjectId; post: PostDocument };

/** The posts that a selection means, including those kept aside, but not removed ones. */
export class SelectedPostStore {
  readonly #posts: Collection<StoredPost>;
  readonly #sealed: Collection<Sealed>;
  readonly #saves: Collection<{ archiveId: ObjectId | null; createdAt: Date; askedBy: { id: string } }>;

  constructor(db: Db) {
    this.#posts = db.collection<StoredPost>('posts');
    this.#sealed = db.collection<Sealed>('sealed_posts');
    this.#saves = db.collection('saves');
  }

  async summarise(selection: RemovalSelection, sampleSize: number): Promise<SelectedPosts> {
    const found: SelectedPosts = { posts: 0, featured: 0, launched: 0, sample: [] };
    for (const filter of await this.#filters(selection)) {
      const count = (more: object) => this.#posts.countDocuments({ $and: [filter, more] }, { maxTimeMS: LOOK_MS });
      found.posts += (await count({})) + (await this.#sealed.countDocuments(within('post', filter)));
      found.featured += await count({ featuredPayment: { $exists: true } });
      found.launched += await count({ launched: true });
      const sample = this.#posts
        .find(filter)
        .sort({ createdAt: -1 })
        .limit(sampleSize - found.sample.length || 1);
      if (found.sample.length < sampleSize) found.sample.push(...((await sample.toArray()) as PostDocument[]));
    }
    return found;
  }

  async *ids(selection: RemovalSelection): AsyncGenerator<{ id: ObjectId; sealed: PostDocument | null }> {
    for (const filter of await this.#filters(selection)) {
      const live = this.#posts.find(filter, { projection: { _id: 1 }, maxTimeMS: LOOK_MS });
      for await (const { _id } of live) yield { id: _id, sealed: null };
      for await (const { _id, post } of this.#sealed.find(within('post', filter))) yield { id: _id, sealed: post };
    }
  }

  async #filters(selection: RemovalSelection): Promise<Filter<StoredPost>[]> {
    const isLive = { removedAt: { $exists: false } };
    const { posts, author, key, asker } = selection;
    if (posts) {
      const oids = posts.filter((id: string) => isObjectId(id)).map((id) => new ObjectId(id));
      return [{ ...isLive, $or: [{ _id: { $in: oids } }, { ids: { $in: posts } }] } as Filter<StoredPost>];
    }
    if (key !== undefined) return [{ ...isLive, savedBy: key } as Filter<StoredPost>];
    if (author !== undefined) {
      // Never both id and handle: anyone can choose a handle that equals another account's id.
      if (PLATFORM_ID.test(author)) return [{ ...isLive, authorId: author } as Filter<StoredPost>];
      const handle = author.replace(/^@/, '');
      const named = { $regex: `^${handle.replace(/[^A-Za-z0-9_]/g, '\\$&')}$`, $options: 'i' };
      return [{ ...isLive, authorUsername: named } as Filter<StoredPost>];
    }
    return this.#savedFor(asker ?? '');
  }

  /** Posts that a request of this asker brought. Posts kept before the request belong to others. */
  async #savedFor(asker: string): Promise<Filter<StoredPost>[]> {
    const saves = await this.#saves
      .find({ 'askedBy.id': asker, archiveId: { $ne: null } }, { projection: { archiveId: 1, createdAt: 1 } })
      .toArray();
    const filters: Filter<StoredPost>[] = [];
    for (let at = 0; at < saves.length; at += ASKED_AT_ONCE) {
      const asked = saves.slice(at, at + ASKED_AT_ONCE);
      const came = asked.map(({ archiveId: _id, createdAt }) => ({ _id, createdAt: { $gte: createdAt } }));
      filters.push({ removedAt: { $exists: false }, origin: { $exists: true }, $or: came } as Filter<StoredPost>);
    }
    return filters;
  }
}

/** The filter for posts within another document. */
function within(field: string, filter: Filter<StoredPost>): Filter<Sealed> {
  const moved = (value: unknown): unknown => {
    if (!Array.isArray(value)) return value;
    return value.map((one) => (isPlain(one) ? inside(one) : one));
  };
  const inside = (one: Record<string, unknown>): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(one).map(([name, value]) =>
        name.startsWith('$') ? [name, moved(value)] : [`${field}.${name}`, value],
      ),
    );
  return inside(filter as Record<string, unknown>) as Filter<Sealed>;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
