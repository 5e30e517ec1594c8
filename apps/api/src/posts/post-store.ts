import { ALIASES_KEPT, type Category, idOfLink, THREAD_LENGTH } from '@archive/contracts';
import { type Collection, type Db, type Filter, MongoBulkWriteError, ObjectId, Timestamp } from 'mongodb';
import { type DatabaseClock, isDuplicateKey, PROMPT } from '../db/database.ts';
import { type LedgerWriter, NO_LEDGER } from '../ledger/ledger-entry.ts';
import { CSV_FIELDS } from './csv.ts';
import { PostChanges } from './post-changes.ts';
import {
  type Alias,
  authorOf,
  BY_DATABASE,
  CHANGED,
  isObjectId,
  isRemoved,
  type KnownPost,
  type NewDocument,
  NOT_FEATURED,
  named,
  type PostDocument,
  partsOf,
  type StoredPost,
  type Tombstone,
  UNFEATURED,
  undone,
} from './post-document.ts';

/** Time limit of a query: shorter if a visitor waits than in a batch. */
const patience = ({ batch = false }: { batch?: boolean }) => ({ maxTimeMS: batch ? 60_000 : 2_500 });
const REFERRED_FIELDS = {
  id: 1,
  content: 1,
  author: 1,
  authorUsername: 1,
  authorAvatar: 1,
  timestamp: 1,
  url: 1,
  media: 1,
  sensitive: 1,
  avatarSha256: 1,
} as const;
export type ReferredPost = Pick<PostDocument, '_id' | keyof typeof REFERRED_FIELDS>;
export type ThreadPost = Required<Pick<PostDocument, '_id' | 'threadRoot'>>;
const FIELDS = {
  all: { ids: 0, fingerprint: 0, words: 0, aliases: 0, changedAt: 0 },
  csv: CSV_FIELDS,
  cover: { media: 1, sensitive: 1, removedAt: 1 },
} as const;

type NewIdentity = Pick<NewDocument, 'id' | 'isFromPlatform'> & { fingerprint?: string };

/** A launch that a restore has put back. */
interface Restored {
  _id: ObjectId;
  restored: { ids: string[]; fingerprint: string };
}

/** Attempts of a write that depends on a read; it is repeated if another write came between. */
const TRIES = 10;

/**
 * The posts, and the tombstones of removed posts. Announces each change and returns once the listeners have applied it.
 */
export class PostStore {
  readonly #posts: Collection<StoredPost>;
  readonly #launches: Collection<Restored>;
  readonly #clock: Pick<DatabaseClock, 'now'>;
  readonly #changes: PostChanges;
  readonly #ledger: LedgerWriter;

  constructor(
    db: Db,
    clock: Pick<DatabaseClock, 'now'>,
    changes = new PostChanges(),
    ledger: LedgerWriter = NO_LEDGER,
  ) {
    this.#posts = db.collection<StoredPost>('posts');
    this.#launches = db.collection<Restored>('launches');
    this.#clock = clock;
    this.#changes = changes;
    this.#ledger = ledger;
  }

  /** The current time by the database's clock. */
  now(): Date {
    return this.#clock.now();
  }

  /** A post or tombstone, by `_id`, by any of its platform ids, or by a link that contains one. */
  async find(id: string): Promise<StoredPost | null> {
    const [post = null] = await this.findEach([id]);
    return post;
  }

  /** `find` for each of these ids, in their order. */
  async findEach(asked: readonly string[]): Promise<(StoredPost | null)[]> {
    const ids = asked.map((id) => idOfLink(id) ?? id);
    const oids = new Set(ids.filter(isObjectId).map((id) => id.toLowerCase()));
    const others = new Set(ids.filter((id) => !isObjectId(id)));
    const either = [
      ...(oids.size > 0 ? [{ _id: { $in: [...oids].map((id) => new ObjectId(id)) } }] : []),
      ...(others.size > 0 ? [{ ids: { $in: [...others] } }] : []),
    ];
    const found = await this.#posts.find({ $or: either }, { batchSize: ids.length + 1, ...PROMPT }).toArray();
    const byId = new Map(found.flatMap((post) => [post._id.toHexString(), ...post.ids].map((id) => [id, post])));
    return ids.map((id) => byId.get(isObjectId(id) ? id.toLowerCase() : id) ?? null);
  }

  /**
   * Live posts with these platform ids, by id, with the fields that are shown within other posts. Aliases do not count.
   */
  async findReferred(ids: readonly string[], options: { batch?: boolean } = {}): Promise<Map<string, ReferredPost>> {
    const found = await this.#posts
      .find(
        { ids: { $in: [...new Set(ids)] }, removedAt: { $exists: false } },
        { batchSize: ids.length + 1, ...patience(options) },
      )
      .project<ReferredPost>(REFERRED_FIELDS)
      .toArray();
    return new Map(found.map((post) => [post.id, post]));
  }

  /** The live posts of these threads, ordered by thread and time. */
  async findThreads(roots: readonly string[], options: { batch?: boolean } = {}): Promise<ThreadPost[]> {
    return this.#posts
      .find({ threadRoot: { $in: [...new Set(roots)] }, removedAt: { $exists: false } }, patience(options))
      .sort({ threadRoot: 1, timestamp: 1, id: 1 })
      .limit(roots.length * THREAD_LENGTH)
      .project<ThreadPost>({ threadRoot: 1 })
      .toArray();
  }

  /** The posts of these `_id`s, in the same order. Removed posts are left out. */
  async findInOrder(
    oids: readonly Uint8Array[],
    options: { batch?: boolean; fields?: keyof typeof FIELDS } = {},
  ): Promise<PostDocument[]> {
    if (oids.length === 0) return [];
    const ids = oids.map((oid) => new ObjectId(oid));
    const found = await this.#posts
      .find({ _id: { $in: ids } }, { batchSize: oids.length + 1, hint: { _id: 1 }, ...patience(options) })
      .project<StoredPost>(FIELDS[options.fields ?? 'all'])
      .toArray();
    const byId = new Map(found.map((post) => [post._id.toHexString(), post]));
    return ids
      .map((id) => byId.get(id.toHexString()))
      .filter((post): post is PostDocument => post !== undefined && !isRemoved(post));
  }

  /** Those of these posts that are no longer shown, with the reason: removed for good, or hidden. */
  async findGone(ids: readonly ObjectId[]): Promise<Map<string, 'removed' | 'hidden'>> {
    if (ids.length === 0) return new Map();
    const gone = await this.#posts
      .find({ _id: { $in: [...ids] }, removedAt: { $exists: true } }, { hint: { _id: 1 } })
      .project<Pick<Tombstone, '_id' | 'sealed'>>({ sealed: 1 })
      .toArray();
    return new Map(gone.map(({ _id, sealed }) => [_id.toHexString(), sealed ? 'hidden' : 'removed']));
  }

  /** The known posts with one of these ids or texts, of any author; removed posts included. */
  async findKnown(ids: readonly string[], bases: readonly string[]): Promise<KnownPost[]> {
    const words = { $in: [...new Set(bases)] };
    const found = await this.#posts
      .find({ $or: [{ ids: { $in: [...ids] } }, { fingerprint: words }, { words }] }, { batchSize: 5_000 })
      .project<StoredPost>({ ids: 1, fingerprint: 1, removedAt: 1, isFromPlatform: 1, authorId: 1, url: 1 })
      .toArray();
    return found.map((post) => {
      const { base, author } = partsOf(post.fingerprint);
      // An earlier version stored the text part alone for posts that the platform has told.
      const known = author ?? (isRemoved(post) ? undefined : authorOf(post));
      return { _id: post._id, ids: post.ids, base, author: known, isRemoved: isRemoved(post) };
    });
  }

  /**
   * Returns an `_id` for each of these posts. A post that a restore has lost, but that has a token, gets its former
   * `_id`. A post from the platform is recognised by its id; any other post must also have the same text.
   */
  async newIds(posts: readonly NewIdentity[]): Promise<ObjectId[]> {
    const named = await this.#launches.find({ 'restored.ids': { $in: posts.map(({ id }) => id) } }).toArray();
    if (named.length === 0) return posts.map(() => new ObjectId());
    const there = await this.findEach(named.map(({ _id }) => _id.toHexString()));
    const lost = named.filter((_launch, at) => !there[at]);
    const isSame = ({ id, fingerprint, isFromPlatform }: NewIdentity, { restored }: Restored) =>
      restored.ids.includes(id) &&
      (isFromPlatform ||
        (fingerprint !== undefined && partsOf(restored.fingerprint).base === partsOf(fingerprint).base));
    return posts.map((post) => lost.find((one) => isSame(post, one))?._id ?? new ObjectId());
  }

  /**
   * Inserts the posts and returns the inserted documents by position. A missing position has lost a race against
   * another writer of the same post; the unique indexes decide it.
   */
  async insert(posts: readonly NewDocument[]): Promise<Map<number, PostDocument>> {
    const at = this.now();
    const ids = await this.newIds(posts);
    const documents = posts.map((post, index): PostDocument => {
      const { fingerprint, ...fields } = post;
      return {
        ...fields,
        _id: fields._id ?? (ids[index] as ObjectId),
        ids: [post.id],
        fingerprint,
        featured: false,
        featuredAt: null,
        featuredBy: null,
        payee: null,
        launched: false,
        createdAt: at,
        changedAt: BY_DATABASE,
      };
    });
    const refused = new Set<number>();
    try {
      await this.#posts.insertMany(documents, { ordered: false });
    } catch (error) {
      if (!(error instanceof MongoBulkWriteError) || !isDuplicateKey(error)) throw error;
      // The duplicate-key error hides the write concern error, so the code checks whether a majority has confirmed the
      // other posts.
      if (error.result.getWriteConcernError() !== undefined) throw error;
      for (const failure of [error.writeErrors].flat()) {
        if (!isDuplicateKey(failure)) throw error;
        refused.add(failure.index);
      }
    }
    const inserted = new Map([...documents.entries()].filter(([index]) => !refused.has(index)));
    const added = [...inserted.values()];
    if (added.length > 0) {
      await this.#changes.announce({ kind: 'added', ids: added.map(({ _id }) => _id), posts: added });
    }
    return inserted;
  }

  /**
   * Records that a kept post was sent again under another id. Returns false if that id belongs to another post by now.
   */
  async addAlias(keptId: ObjectId, alias: Alias): Promise<boolean> {
    const aliases = { $slice: [{ $concatArrays: [{ $ifNull: ['$aliases', []] }, [alias]] }, -ALIASES_KEPT] };
    try {
      // Not stamped, since other processes need not follow aliases.
      await this.#posts.updateOne({ _id: keptId, ids: { $ne: alias.id }, removedAt: { $exists: false } }, [
        { $set: { aliases } },
        { $set: { ids: { $concatArrays: [['$id'], '$aliases.id'] } } },
      ]);
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
    await this.#changes.announce({ kind: 'alias', ids: [keptId] });
    return true;
  }

  /**
   * Stamps posts whose reactions have changed, since reactions are stored elsewhere. Every process that follows the
   * posts, including this one, then counts them again.
   */
  async noteReactions(ids: readonly ObjectId[]): Promise<void> {
    await this.#posts.updateMany({ _id: { $in: [...ids] }, removedAt: { $exists: false } }, { $currentDate: CHANGED });
    await this.#changes.announce({ kind: 'reactions', ids });
  }

  /** Does nothing if the post is removed. */
  async setCategory(id: ObjectId, category: Category | null): Promise<void> {
    const live = { _id: id, removedAt: { $exists: false } };
    const set = { $set: { category }, $currentDate: CHANGED };
    const { modifiedCount } = await this.#posts.updateOne(live as Filter<StoredPost>, set as never);
    if (modifiedCount === 1) await this.#changes.announce({ kind: 'filled', ids: [id] });
  }

  /** Starts or ends featuring by the team. Returns the changed post. */
  async setFeatured(id: ObjectId, isFeatured: boolean): Promise<PostDocument | null> {
    const post = isFeatured ? await this.#featureForTeam(id) : await this.#endFeaturing(id);
    if (post) await this.#changes.announce({ kind: 'featured', ids: [id], posts: [post] });
    return post;
  }

  async #featureForTeam(id: ObjectId): Promise<PostDocument | null> {
    return (await this.#posts.findOneAndUpdate(
      { _id: id, removedAt: { $exists: false } },
      { $set: { featured: true, featuredBy: 'team' }, $currentDate: { featuredAt: true, ...CHANGED } },
      { returnDocument: 'after' },
    )) as PostDocument | null;
  }

  #endFeaturing(id: ObjectId): Promise<PostDocument | null> {
    return this.#retry(id, async (post) => {
      const { featuredPayment } = post as PostDocument;
      return (await this.#posts.findOneAndUpdate(
        { _id: id, removedAt: { $exists: false }, featuredPayment: featuredPayment ?? { $exists: false } },
        {
          $set: NOT_FEATURED,
          $unset: { featuredPayment: '' },
          ...(featuredPayment ? { $addToSet: { endedPayments: featuredPayment } } : {}),
          $currentDate: CHANGED,
        },
        { returnDocument: 'after' },
      )) as PostDocument | null;
    });
  }

  /**
   * Applies a change that is valid only for the live post as read. Reads again if another change came between. Null if
   * the post is missing.
   */
  async #retry<T>(id: ObjectId, change: (post: PostDocument) => Promise<T | null>): Promise<T | null> {
    for (let tries = 0; tries < TRIES; tries++) {
      const post = await this.#posts.findOne({ _id: id });
      if (!post || isRemoved(post)) return null;
      const done = await change(post);
      if (done !== null) return done;
    }
    throw new Error(`the post ${id.toHexString()} changes too often to be changed`);
  }

  /**
   * Features a post once for a payment or a use of credits; of several concurrent payments, one succeeds. Returns true
   * if the post is or was featured for `by`. A featuring that the team has ended stays ended.
   */
  async featureForPayment(id: ObjectId, { by, payee }: { by: string; payee: string }): Promise<boolean> {
    const { modifiedCount } = await this.#posts.updateOne(
      { _id: id, featured: false, endedPayments: { $ne: by }, removedAt: { $exists: false } },
      {
        $set: { featured: true, featuredBy: 'payment', payee, featuredPayment: by },
        $currentDate: { featuredAt: true, ...CHANGED },
      },
    );
    const done = { _id: id, $or: [{ featuredPayment: by }, { endedPayments: by }] };
    const isDone = modifiedCount === 1 || (await this.#posts.findOne(done, { projection: { _id: 1 } })) !== null;
    // Announced even if another process was first, so that this process shows it to the payer.
    if (isDone) await this.#changes.announce({ kind: 'featured', ids: [id] });
    return isDone;
  }

  /** Ends a featuring whose payment the chain has dropped. */
  async unfeatureForPayment(id: ObjectId, by: string): Promise<void> {
    const { modifiedCount } = await this.#posts.updateOne({ _id: id, featuredPayment: by }, UNFEATURED);
    if (modifiedCount === 1) await this.#changes.announce({ kind: 'featured', ids: [id] });
  }

  /**
   * Sets or clears the launched mark of a live post. Announced even without a change, since another process may have
   * made it.
   */
  async setLaunched(id: ObjectId, launched: boolean): Promise<void> {
    await this.#posts.updateOne(
      { _id: id, launched: !launched, removedAt: { $exists: false } },
      { $set: { launched }, $currentDate: CHANGED },
    );
    await this.#changes.announce({ kind: 'launched', ids: [id] });
  }

  /** Live posts with the launched mark. */
  readLaunched(): AsyncIterable<PostDocument> {
    return this.#posts.find({ launched: true }) as unknown as AsyncIterable<PostDocument>;
  }

  /** Live posts that a payment features, and posts whose paid featuring the team has ended. */
  readPaid(): AsyncIterable<PostDocument> {
    return this.#posts.find({
      $or: [{ featuredPayment: { $exists: true } }, { endedPayments: { $exists: true } }],
    }) as unknown as AsyncIterable<PostDocument>;
  }

  /**
   * Replaces a post by a tombstone: its text is deleted, and its ids and fingerprint stay refused. With `isRefused`
   * false the tombstone holds only its own id. Followers then see that the post is gone, and the same post may be sent
   * again.
   */
  async remove(id: ObjectId, { isRefused = true } = {}): Promise<boolean> {
    const isDone = await this.#retry(id, async ({ ids, aliases = [], fingerprint, featuredPayment, endedPayments }) => {
      const removedAt = this.now();
      // Ids that an agent has sent as aliases may belong to other posts. So they are not refused; the fingerprint
      // refuses the same text under them.
      const claimed = new Set(aliases.flatMap((alias) => (alias.savedBy ? [alias.id] : [])));
      const left = isRefused ? { ids: ids.filter((one) => !claimed.has(one)), fingerprint } : undone(id);
      const paid = [...(endedPayments ?? []), ...(featuredPayment ? [featuredPayment] : [])];
      await this.#ledger.record({ kind: 'removal', post: id, ...left, paid, removedAt });
      const { matchedCount } = await (this.#posts as unknown as Collection<Tombstone>).replaceOne(
        // If the post has new ids or a new payment by now, the tombstone must hold them too. So the next attempt reads
        // the post again.
        {
          _id: id,
          removedAt: { $exists: false },
          ids,
          featuredPayment: featuredPayment ?? { $exists: false },
          endedPayments: endedPayments ?? { $exists: false },
        },
        { ...named(left), removedAt, emptied: false, changedAt: BY_DATABASE },
      );
      return matchedCount === 1 || null;
    });
    if (isDone) await this.#changes.announce({ kind: 'removed', ids: [id] });
    return isDone === true;
  }

  /** Those of these posts that are removed; with `isForGood`, without those that are only kept aside. */
  async findRemoved(ids: readonly ObjectId[], { isForGood = false } = {}): Promise<ObjectId[]> {
    const aside = isForGood ? { sealed: { $exists: false } } : {};
    const removed = this.#posts.find(
      { _id: { $in: [...ids] }, removedAt: { $exists: true }, ...aside } as Filter<StoredPost>,
      { projection: { _id: 1 } },
    );
    return (await removed.toArray()).map(({ _id }) => _id);
  }

  /** When those of these posts that are out of sight were removed or hidden, by id. */
  async findRemovedAt(ids: readonly ObjectId[]): Promise<Map<string, Date>> {
    const removed = this.#posts
      .find({ _id: { $in: [...ids] }, removedAt: { $exists: true } } as Filter<StoredPost>)
      .project<{ _id: ObjectId; removedAt: Date }>({ removedAt: 1 });
    return new Map((await removed.toArray()).map(({ _id, removedAt }) => [_id.toHexString(), removedAt]));
  }

  /** When each of these live posts first came into an archive, by id. */
  async findSavedAt(ids: ReadonlySet<string>): Promise<Map<string, Date>> {
    if (ids.size === 0) return new Map();
    const found = this.#posts
      .find({ _id: { $in: [...ids].map((id) => new ObjectId(id)) }, removedAt: { $exists: false } }, PROMPT)
      .project<Pick<PostDocument, '_id' | 'savedAt' | 'createdAt'>>({ savedAt: 1, createdAt: 1 });
    return new Map(
      (await found.toArray()).map(({ _id, savedAt, createdAt }) => [_id.toHexString(), savedAt ?? createdAt]),
    );
  }

  /** Posts and tombstones with all fields that changed since a second, in the order of change. */
  changedSince(second: number): AsyncIterable<StoredPost> {
    const changed = { changedAt: { $gte: new Timestamp({ t: second, i: 0 }) } };
    return this.#posts.find(changed, { hint: 'changed', batchSize: 500 }).sort({ changedAt: 1, _id: 1 });
  }

  /** Exact; scans an index. */
  countLive(): Promise<number> {
    return this.#posts.countDocuments({ timestamp: { $type: 'date' } }, { hint: 'time' });
  }

  /** `_id`s of posts saved after a moment of the last hour, at most a thousand. */
  async findSavedSince(at: Date): Promise<string[]> {
    const changed = { changedAt: { $gte: new Timestamp({ t: Math.floor(at.getTime() / 1000), i: 0 }) } };
    const filter = { ...changed, createdAt: { $gt: at }, removedAt: { $exists: false } };
    const options = { projection: { _id: 1 }, hint: 'changed', limit: 1_000, maxTimeMS: 2_500 } as const;
    return (await this.#posts.find(filter, options).toArray()).map(({ _id }) => _id.toHexString());
  }

  async isEmpty(): Promise<boolean> {
    return (await this.#posts.findOne({}, { projection: { _id: 1 } })) === null;
  }

  estimateCount(): Promise<number> {
    return this.#posts.estimatedDocumentCount();
  }

  /** Every live post with all fields, newest first. */
  readNewestFirst(): AsyncIterable<PostDocument> {
    return this.#posts
      .find({ timestamp: { $type: 'date' } }, { hint: 'time', batchSize: 2_000 })
      .sort({ timestamp: -1, _id: -1 }) as unknown as AsyncIterable<PostDocument>;
  }
}
