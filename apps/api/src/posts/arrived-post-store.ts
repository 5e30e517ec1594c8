import type { Platform } from '@archive/contracts';
import type { NewMedia } from '@archive/contracts/schemas';
import type { Collection, Db, Filter, ObjectId } from 'mongodb';
import type { DatabaseClock } from '../db/database.ts';
import type { LedgerWriter } from '../ledger/ledger-entry.ts';
import type { PostChanges } from './post-changes.ts';
import {
  BY_DATABASE,
  CHANGED,
  type NewDocument,
  type PostDocument,
  type StoredPost,
  type Tombstone,
} from './post-document.ts';

/** What a post may lack that was kept before its platform was asked. */
const FILLED_FIELDS = [
  'authorId',
  'language',
  'links',
  'sensitive',
  'media',
  'replyTo',
  'quoted',
  'threadRoot',
  'avatarSha256',
  'source',
  'versions',
  'lookDueAt',
] as const satisfies (keyof NewDocument)[];

/** A post that its author took away, whole, for as long as they may bring it back. */
interface SealedPost {
  _id: ObjectId;
  post: PostDocument;
  at: Date;
}

/** What becomes of posts that came from their platforms. Announces what it changes, as the store of posts does. */
export class ArrivedPostStore {
  readonly #posts: Collection<StoredPost>;
  readonly #sealed: Collection<SealedPost>;
  readonly #clock: Pick<DatabaseClock, 'now'>;
  readonly #changes: PostChanges;
  readonly #ledger: LedgerWriter;

  constructor(db: Db, clock: Pick<DatabaseClock, 'now'>, changes: PostChanges, ledger: LedgerWriter) {
    this.#ledger = ledger;
    this.#posts = db.collection<StoredPost>('posts');
    this.#sealed = db.collection<SealedPost>('sealed_posts');
    this.#clock = clock;
    this.#changes = changes;
  }

  /** Puts in what a kept post lacks; what it says already stays. */
  async fill(id: ObjectId, from: Partial<NewDocument>): Promise<void> {
    const absent = FILLED_FIELDS.filter((name) => from[name] !== undefined);
    const values = absent.map((name) => [name, { $ifNull: [`$${name}`, { $literal: from[name] }] }]);
    // How it was taken is told anew where it was not whole; who asked for it first stays.
    const origin = from.origin && {
      origin: {
        $cond: [
          { $eq: ['$origin.capture.signed', true] },
          '$origin',
          {
            savedBy: { $ifNull: ['$origin.savedBy', { $literal: from.origin.savedBy }] },
            capture: from.origin.capture,
          },
        ],
      },
    };
    const { modifiedCount } = await this.#posts.updateOne({ _id: id, removedAt: { $exists: false } }, [
      { $set: { ...Object.fromEntries(values), ...origin } },
    ]);
    if (modifiedCount === 0) return;
    await this.#posts.updateOne({ _id: id }, { $currentDate: CHANGED });
    await this.#changes.announce({ kind: 'filled', ids: [id] });
  }

  /** Live posts of an author by the platform's own id, as the platform itself has told it; newest first. */
  async findOfAuthor(platform: Platform, authorId: string, limit: number): Promise<PostDocument[]> {
    return (await this.#posts
      .find({ authorId, 'origin.capture.method': methodOf(platform), removedAt: { $exists: false } })
      .sort({ timestamp: -1 })
      .limit(limit)
      .toArray()) as PostDocument[];
  }

  /** Removed posts whose media and evidence are still there. */
  async findUnemptied(limit: number): Promise<ObjectId[]> {
    const found = this.#posts.find({ emptied: false } as Filter<StoredPost>, { projection: { _id: 1 }, limit });
    return (await found.toArray()).map(({ _id }) => _id);
  }

  async markEmptied(id: ObjectId): Promise<void> {
    await this.#posts.updateOne({ _id: id }, { $unset: { emptied: '' } });
  }

  /** Puts in what has become of its media; where bytes are missing, `dueAt` says when they are fetched again. False where it is removed. */
  async setMedia(id: ObjectId, media: readonly NewMedia[], dueAt: Date | null): Promise<boolean> {
    const { matchedCount } = await this.#posts.updateOne(
      { _id: id, removedAt: { $exists: false } },
      {
        $set: { media: [...media], ...(dueAt && { mediaDueAt: dueAt }) },
        ...(!dueAt && { $unset: { mediaDueAt: '' } }),
        $currentDate: CHANGED,
      },
    );
    if (matchedCount > 0) await this.#changes.announce({ kind: 'filled', ids: [id] });
    return matchedCount > 0;
  }

  /** A post whose media are to be fetched again, for nobody else until `until`. */
  async claimMissingMedia(now: Date, until: Date): Promise<PostDocument | null> {
    return (await this.#posts.findOneAndUpdate(
      { mediaDueAt: { $lte: now } },
      { $set: { mediaDueAt: until } },
      { returnDocument: 'before' },
    )) as PostDocument | null;
  }

  /**
   * Puts a post into the thread of the own post that it answers, as far as that is known, with those that came before it and
   * go on from it. Repeating changes nothing; the order in which a thread comes makes no difference.
   */
  async joinThread(child: { id: string; replyTo: string }): Promise<void> {
    const parent = (await this.#posts.findOne({
      ids: child.replyTo,
      removedAt: { $exists: false },
    })) as PostDocument | null;
    const root = parent?.threadRoot ?? parent?.id ?? child.replyTo;
    const moved = [{ id: child.id }, { threadRoot: child.id }, ...(parent ? [{ _id: parent._id }] : [])];
    await this.#posts.updateMany(
      { $or: moved, threadRoot: { $ne: root }, removedAt: { $exists: false } } as Filter<StoredPost>,
      { $set: { threadRoot: root }, $currentDate: CHANGED },
    );
  }

  /** Posts that are to be looked at again on a platform, for nobody else until `until`. */
  async claimLooks(platform: Platform, limit: number, now: Date, until: Date): Promise<PostDocument[]> {
    const due = { lookDueAt: { $lte: now }, 'origin.capture.method': methodOf(platform) };
    const posts = (await this.#posts.find(due).sort({ lookDueAt: 1 }).limit(limit).toArray()) as PostDocument[];
    const claimed: PostDocument[] = [];
    for (const post of posts) {
      const own = { _id: post._id, lookDueAt: post.lookDueAt as Date };
      const { modifiedCount } = await this.#posts.updateOne(own, { $set: { lookDueAt: until } });
      if (modifiedCount === 1) claimed.push(post);
    }
    return claimed;
  }

  /** Has posts looked at now: something tells that they are gone. */
  async hurryLooks(filter: { ids: string[] } | { authorId: string }, now: Date): Promise<void> {
    const which = 'ids' in filter ? { ids: { $in: filter.ids } } : filter;
    await this.#posts.updateMany({ ...which, lookDueAt: { $exists: true } }, { $set: { lookDueAt: now } });
  }

  /** What was found; `dueAt` is the next look, or null where that was the last. */
  async setSource(
    id: ObjectId,
    source: NonNullable<PostDocument['source']>,
    { dueAt, versions }: { dueAt: Date | null; versions?: PostDocument['versions'] },
  ): Promise<void> {
    await this.#posts.updateOne(
      { _id: id, removedAt: { $exists: false } },
      {
        $set: { source, ...(dueAt && { lookDueAt: dueAt }), ...(versions && { versions }) },
        ...(!dueAt && { $unset: { lookDueAt: '' } }),
        $currentDate: CHANGED,
      },
    );
    await this.#changes.announce({ kind: 'filled', ids: [id] });
  }

  /**
   * Takes a post out of sight whole: a tombstone stands in its place, and the post is kept aside. Doing it again, also
   * after a kill between the two writes, changes nothing.
   */
  async seal(post: PostDocument, reason: 'deleted' | 'protected', lookDueAt: Date): Promise<boolean> {
    const { _id, ids, fingerprint } = post;
    const at = this.#clock.now();
    await this.#sealed.replaceOne({ _id }, { post, at }, { upsert: true });
    const tombstone = { ids, fingerprint, removedAt: at, sealed: reason, lookDueAt, changedAt: BY_DATABASE };
    const { modifiedCount } = await (this.#posts as unknown as Collection<Tombstone>).replaceOne(
      // As it was looked at: what has happened to it since would be lost with it.
      { _id, removedAt: { $exists: false }, changedAt: post.changedAt },
      tombstone,
    );
    if (modifiedCount === 0) await this.#sealed.deleteOne({ _id, at });
    else await this.#changes.announce({ kind: 'removed', ids: [_id] });
    return modifiedCount === 1;
  }

  /** Sealed posts that are to be looked at again, with when they were sealed. */
  async claimSealed(
    platform: Platform,
    limit: number,
    now: Date,
    until: Date,
  ): Promise<{ post: PostDocument; at: Date }[]> {
    const due = this.#posts.find({ sealed: { $exists: true }, lookDueAt: { $lte: now } } as Filter<StoredPost>);
    const claimed: { post: PostDocument; at: Date }[] = [];
    for (const { _id } of await due.limit(limit).toArray()) {
      const sealed = await this.#sealed.findOne({ _id });
      if (sealed?.post.origin?.capture.method !== methodOf(platform)) continue;
      await this.#posts.updateOne({ _id }, { $set: { lookDueAt: until } });
      claimed.push({ post: sealed.post, at: sealed.at });
    }
    return claimed;
  }

  /** Its author has brought it back: it is shown whole again. */
  async unseal(id: ObjectId, lookDueAt: Date): Promise<void> {
    const sealed = await this.#sealed.findOne({ _id: id });
    if (!sealed) return;
    const source = { state: 'live' as const, checkedAt: this.#clock.now() };
    const post = { ...sealed.post, source, lookDueAt, changedAt: BY_DATABASE };
    const { modifiedCount } = await this.#posts.replaceOne(
      { _id: id, sealed: { $exists: true } } as Filter<StoredPost>,
      post,
    );
    await this.#sealed.deleteOne({ _id: id, at: sealed.at });
    if (modifiedCount === 1) await this.#changes.announce({ kind: 'added', ids: [id] });
  }

  /** Nobody brings it back any more: what is left of it is a tombstone like any other. */
  async endSeal({ _id, ids, fingerprint }: PostDocument): Promise<void> {
    const removedAt = this.#clock.now();
    await this.#ledger.record({ kind: 'removal', post: _id, ids, fingerprint, removedAt });
    await (this.#posts as unknown as Collection<Tombstone>).updateOne(
      { _id, sealed: { $exists: true } },
      { $set: { emptied: false }, $unset: { sealed: '', lookDueAt: '' }, $currentDate: CHANGED },
    );
    await this.#sealed.deleteOne({ _id });
  }

  /** What is kept aside of removed posts: also where a process was killed between two writes. */
  async dropSealed(ids: readonly ObjectId[]): Promise<void> {
    await this.#sealed.deleteMany({ _id: { $in: [...ids] } });
  }
}

/** How posts of a platform are taken in where they come from the platform itself. */
function methodOf(platform: Platform): 'x-api' | 'bluesky' {
  return platform === 'x' ? 'x-api' : 'bluesky';
}
