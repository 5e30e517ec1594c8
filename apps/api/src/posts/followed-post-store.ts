import type { Collection, Db, Document, Filter } from 'mongodb';
import { isDid } from '../sources/bluesky/addresses.ts';
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
    const sealed = await read(didsOf(this.#sealed, 'post.authorId'), limit);
    // Out of the index alone: so many as there are authors are read, however many posts. What an agent says of one is not believed.
    const all = await read(didsOf(this.#posts, 'authorId', { isFromPlatform: true }), limit + 1);
    const authors = new Set([...sealed, ...all]);
    if (authors.size <= limit) return authors;
    const options = { projection: { _id: 0, did: '$authorId' }, sort: { _id: -1 } } as const;
    return read(this.#posts.find<{ did?: string }>(IS_SHOWN, options), limit, sealed);
  }

  /** Of these ids, those of such posts. */
  async among(ids: readonly string[], followed: Followed): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const which = { ids: { $in: [...ids] }, ...(followed === 'shown' ? IS_SHOWN : IS_AWAY) };
    const found = await this.#posts.find(which as Filter<StoredPost>, { projection: { ids: 1 } }).toArray();
    const known = new Set(found.flatMap((post) => post.ids));
    return new Set(ids.filter((id) => known.has(id)));
  }

  /** Whether one of these was looked at since it was to be, at `since`; of one that is sealed, whether its look was begun. */
  async isLookedAt(ids: readonly string[], since: Date, now: Date): Promise<boolean> {
    const shown = { sealedOn: { $exists: false }, 'source.checkedAt': { $gte: since } };
    const sealed = { sealedOn: { $exists: true }, lookDueAt: { $gt: now } };
    const which = { ids: { $in: [...ids] }, $or: [shown, sealed] };
    return (await this.#posts.findOne(which as Filter<StoredPost>, { projection: { _id: 1 } })) !== null;
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

/** Each author once; one answer would have 16 MB at most, however many there are. */
function didsOf(
  collection: Collection<StoredPost> | Collection<Document>,
  field: string,
  which: Document = {},
): AsyncIterable<{ did?: string }> {
  const steps = [
    { $match: { ...which, [field]: DID } },
    { $group: { _id: `$${field}` } },
    { $project: { did: '$_id' } },
  ];
  return collection.aggregate<{ did?: string }>(steps, { allowDiskUse: true });
}

/** As many as `limit`, with those that are known. One that is no DID would have the stream refuse all of them. */
async function read(found: AsyncIterable<{ did?: string }>, limit: number, known: Iterable<string> = []) {
  const dids = new Set(known);
  for await (const { did } of found) {
    if (dids.size >= limit) break;
    if (did !== undefined && isDid(did)) dids.add(did);
  }
  return dids;
}

const IS_BLUESKY = { isFromPlatform: true as const, 'origin.capture.method': 'bluesky' as const };
const IS_SHOWN: Filter<StoredPost> = { ...IS_BLUESKY, 'source.state': { $nin: AWAY } } as Filter<StoredPost>;
/** Where what is deleted is shown with a note. */
const IS_MARKED = { ...IS_BLUESKY, 'source.state': { $in: AWAY } };
const IS_AWAY = { $or: [{ sealedOn: 'bluesky' }, IS_MARKED] };
