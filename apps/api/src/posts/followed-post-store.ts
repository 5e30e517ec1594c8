import type { Collection, Db, Document, Filter } from 'mongodb';
import { isDid } from '../sources/bluesky/addresses.ts';
import type { StoredPost } from './post-document.ts';

/** The posts that a reported change concerns: those that are shown, or those that their authors took away. */
export type Followed = 'shown' | 'away';

/** Matches DIDs and no author id of X. */
const DID = { $gte: 'did:', $lt: 'did;' };
const AWAY = ['deleted', 'protected'];

/** Queries posts that came from Bluesky, for the follower of their authors. */
export class FollowedPostStore {
  readonly #posts: Collection<StoredPost>;
  readonly #sealed: Collection<Document>;

  constructor(db: Db) {
    this.#posts = db.collection<StoredPost>('posts');
    this.#sealed = db.collection('sealed_posts');
  }

  /**
   * DIDs of the authors of kept posts. If there are more than `limit`: first the authors who took a post away, then
   * those whose posts were kept last.
   */
  async authors(limit: number): Promise<Set<string>> {
    const sealed = await read(didsOf(this.#sealed, 'post.authorId'), limit);
    // A covered query: it reads one index entry for each author, not for each post. Author ids that an agent has sent
    // do not count.
    const all = await read(didsOf(this.#posts, 'authorId', { isFromPlatform: true }), limit + 1);
    const authors = new Set([...sealed, ...all]);
    if (authors.size <= limit) return authors;
    const options = { projection: { _id: 0, did: '$authorId' }, sort: { _id: -1 } } as const;
    return read(this.#posts.find<{ did?: string }>(IS_SHOWN, options), limit, sealed);
  }

  /** Those of the ids that belong to such posts. */
  async among(ids: readonly string[], followed: Followed): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const which = { ids: { $in: [...ids] }, ...(followed === 'shown' ? IS_SHOWN : IS_AWAY) };
    const found = await this.#posts.find(which as Filter<StoredPost>, { projection: { ids: 1 } }).toArray();
    const known = new Set(found.flatMap((post) => post.ids));
    return new Set(ids.filter((id) => known.has(id)));
  }

  /**
   * Whether one of these posts was looked at since `since`, when its look became due. For a sealed post: whether its
   * look was claimed.
   */
  async isLookedAt(ids: readonly string[], since: Date, now: Date): Promise<boolean> {
    const shown = { sealedOn: { $exists: false }, 'source.checkedAt': { $gte: since } };
    const sealed = { sealedOn: { $exists: true }, lookDueAt: { $gt: now } };
    const which = { ids: { $in: [...ids] }, $or: [shown, sealed] };
    return (await this.#posts.findOne(which as Filter<StoredPost>, { projection: { _id: 1 } })) !== null;
  }

  /** Ids of such posts of an author, the last kept ones first, at most `limit`. */
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

/** Each DID once. A cursor, since one answer document may have at most 16 MB. */
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

/**
 * Adds DIDs to the known ones, up to `limit`. Skips invalid DIDs, since the stream refuses the whole list for one of
 * them.
 */
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
/** Posts that their authors took away and that are still shown, with a note. */
const IS_MARKED = { ...IS_BLUESKY, 'source.state': { $in: AWAY } };
const IS_AWAY = { $or: [{ sealedOn: 'bluesky' }, IS_MARKED] };
