import type { Collection, Db, Document, Filter } from 'mongodb';
import type { StoredPost } from './post-document.ts';

/** What a look would change, if what was told is true: of posts that are shown, or that their authors took away. */
export type Followed = 'shown' | 'away';

/** A DID, and nothing that X calls an author. */
const DID = { $gte: 'did:', $lt: 'did;' };
const AWAY = ['deleted', 'protected'];

/** Posts that came from Bluesky, as the one who follows their authors there needs to know them. */
export class FollowedPostStore {
  readonly #posts: Collection<StoredPost>;
  readonly #sealed: Collection<Document>;

  constructor(db: Db) {
    this.#posts = db.collection<StoredPost>('posts');
    this.#sealed = db.collection('sealed_posts');
  }

  /** DIDs of authors of kept posts; where they are more than `limit`, of those whose posts were kept last, after those who took one away. */
  async authors(limit: number): Promise<Set<string>> {
    const sealed: string[] = await this.#sealed.distinct('post.authorId', { platform: 'bluesky' });
    // Out of the index alone: so many as there are authors are read, however many posts.
    const all: string[] = await this.#posts.distinct('authorId', { authorId: DID } as Filter<StoredPost>);
    const authors = new Set([...sealed, ...all]);
    if (authors.size <= limit) return authors;
    const newest = new Set(sealed.slice(0, limit));
    const posts = this.#posts.find(IS_SHOWN, { projection: { _id: 0, authorId: 1 }, sort: { _id: -1 } });
    for await (const { authorId } of posts as AsyncIterable<{ authorId?: string }>) {
      if (newest.size >= limit) break;
      if (authorId) newest.add(authorId);
    }
    return newest;
  }

  /** Of these ids, those of such posts. */
  async among(ids: readonly string[], followed: Followed): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const which = { ids: { $in: [...ids] }, ...(followed === 'shown' ? IS_SHOWN : IS_AWAY) };
    const found = await this.#posts.find(which as Filter<StoredPost>, { projection: { ids: 1 } }).toArray();
    const known = new Set(found.flatMap((post) => post.ids));
    return new Set(ids.filter((id) => known.has(id)));
  }

  /** Ids of such posts of an author, of those that were kept last. */
  async ofAuthor(did: string, followed: Followed, limit: number): Promise<string[]> {
    const which = { authorId: did, ...(followed === 'shown' ? IS_SHOWN : IS_MARKED) };
    const found = this.#posts.find(which as Filter<StoredPost>, { projection: { id: 1 }, sort: { _id: -1 }, limit });
    const ids = (await found.toArray()).map((post) => (post as { id: string }).id);
    if (followed === 'shown' || ids.length >= limit) return ids;
    const own = { platform: 'bluesky', 'post.authorId': did };
    const sealed = this.#sealed.find(own, {
      projection: { 'post.id': 1 },
      sort: { _id: -1 },
      limit: limit - ids.length,
    });
    return [...ids, ...(await sealed.toArray()).map(({ post }) => post.id as string)];
  }
}

const IS_BLUESKY = { isFromPlatform: true as const, 'origin.capture.method': 'bluesky' as const };
const IS_SHOWN: Filter<StoredPost> = { ...IS_BLUESKY, 'source.state': { $nin: AWAY } } as Filter<StoredPost>;
/** Where what is deleted is shown with a note. */
const IS_MARKED = { ...IS_BLUESKY, 'source.state': { $in: AWAY } };
const IS_AWAY = { $or: [{ sealedOn: 'bluesky' }, IS_MARKED] };
