import { type HiddenFor, type Platform, platformOf } from '@archive/contracts';
import type { Collection, Db, Filter, ObjectId } from 'mongodb';
import { type DatabaseClock, isDuplicateKey } from '../db/database.ts';
import type { LedgerWriter } from '../ledger/ledger-entry.ts';
import type { PostChanges } from './post-changes.ts';
import {
  BY_DATABASE,
  CHANGED,
  isRemoved,
  named,
  type PostDocument,
  type StoredPost,
  type Tombstone,
  undone,
} from './post-document.ts';

/** A whole post that is out of sight: its author took it away and may bring it back, or operators hid it. */
interface SealedPost {
  _id: ObjectId;
  post: PostDocument;
  platform: Platform;
  at: Date;
  /** Set until operators show the post again. Looks at its platform and the expiry of sealed posts then skip it. */
  isHidden?: true;
  /** State before the post was hidden, if its author had taken it away. */
  away?: 'deleted' | 'protected';
}

/** What a removal needs of a post. If a post was hidden again after a restore, nothing else of it is left. */
type Named = Pick<PostDocument, '_id' | 'ids' | 'fingerprint' | 'endedPayments' | 'featuredPayment'>;

/** Matches posts that their authors took away and that operators do not hide. */
const AWAY = { sealed: { $in: ['deleted', 'protected'] } } as unknown as Filter<StoredPost>;
const HIDDEN = { sealed: 'hidden' } as unknown as Filter<StoredPost>;
/** Attempts to hide a post; it is read again if another change came between. */
const TRIES = 10;
/** Milliseconds; longer than hiding a post takes. */
const HIDING_MS = 60_000;

/**
 * Posts that authors took away or that operators hide. A tombstone stands in the place of each, and the post is kept
 * aside. Announces each change.
 */
export class SealedPostStore {
  readonly #posts: Collection<StoredPost>;
  readonly #sealed: Collection<SealedPost>;
  readonly #clock: Pick<DatabaseClock, 'now'>;
  readonly #changes: PostChanges;
  readonly #ledger: LedgerWriter;

  constructor(db: Db, clock: Pick<DatabaseClock, 'now'>, changes: PostChanges, ledger: LedgerWriter) {
    this.#posts = db.collection<StoredPost>('posts');
    this.#sealed = db.collection<SealedPost>('sealed_posts');
    this.#clock = clock;
    this.#changes = changes;
    this.#ledger = ledger;
  }

  /**
   * Takes the post out of sight as it was read. Idempotent, also after a kill between the two writes. Returns false if
   * the post has changed since it was read.
   */
  async seal(
    post: PostDocument,
    platform: Platform,
    reason: 'deleted' | 'protected',
    lookDueAt: Date,
  ): Promise<boolean> {
    const { _id, ids, fingerprint } = post;
    const at = this.#clock.now();
    if (!(await this.#keepAside({ _id, post, platform, at }))) return false;
    await this.#ledger.record({ kind: 'sealed', post: _id, reason, platform });
    const { modifiedCount } = await (this.#posts as unknown as Collection<Tombstone>).replaceOne(
      // A later change would be lost, since the copy aside does not hold it.
      { _id, removedAt: { $exists: false }, changedAt: post.changedAt },
      {
        ...named({ ids, fingerprint }),
        removedAt: at,
        sealed: reason,
        sealedOn: platform,
        lookDueAt,
        changedAt: BY_DATABASE,
      },
    );
    if (modifiedCount === 0) await this.#sealed.deleteOne({ _id, at, isHidden: { $exists: false } });
    else await this.#changes.announce({ kind: 'sealed', ids: [_id] });
    return modifiedCount === 1;
  }

  /**
   * Does not overwrite a post that operators have hidden or are hiding. Overwrites the remains of a hiding that was
   * killed.
   */
  async #keepAside(sealed: SealedPost): Promise<boolean> {
    const { _id, at } = sealed;
    if (await this.#posts.findOne({ _id, ...HIDDEN }, { projection: { _id: 1 } })) return false;
    const left = { $lt: new Date(at.getTime() - HIDING_MS) };
    const free = { _id, $or: [{ isHidden: { $exists: false } }, { at: left }] } as Filter<SealedPost>;
    try {
      await this.#sealed.replaceOne(free, sealed, { upsert: true });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  /** Claims sealed posts that are due for a look, until `until`. */
  async claim(platform: Platform, limit: number, now: Date, until: Date): Promise<PostDocument[]> {
    const due = { sealedOn: platform, lookDueAt: { $lte: now } } as Filter<StoredPost>;
    const ids = (await this.#posts.find(due, { projection: { _id: 1 }, limit }).toArray()).map(({ _id }) => _id);
    await this.#posts.updateMany({ _id: { $in: ids } }, { $set: { lookDueAt: until } } as never);
    return (await this.#sealed.find({ _id: { $in: ids } }).toArray()).map(({ post }) => post);
  }

  /** Shows the whole post again, since its author has brought it back. */
  async unseal(id: ObjectId, lookDueAt: Date): Promise<void> {
    const sealed = await this.#sealed.findOne({ _id: id });
    if (!sealed || sealed.isHidden) return;
    await this.#ledger.record({ kind: 'unsealed', post: id });
    const source = { state: 'live' as const, checkedAt: this.#clock.now() };
    const post = { ...sealed.post, source, lookDueAt, changedAt: BY_DATABASE };
    const { modifiedCount } = await this.#posts.replaceOne({ _id: id, ...AWAY }, post);
    await this.#sealed.deleteOne({ _id: id, at: sealed.at });
    if (modifiedCount === 1) await this.#changes.announce({ kind: 'added', ids: [id] });
  }

  /**
   * Hides a post for all readers until `unhide`. If it is hidden already, only the reason changes. Returns false if the
   * post does not exist or was removed for good.
   */
  async hide(id: ObjectId, hiddenFor: HiddenFor): Promise<boolean> {
    for (let tries = 0; tries < TRIES; tries++) {
      const post = await this.#posts.findOne({ _id: id });
      if (!post || (isRemoved(post) && !post.sealed)) {
        await this.#sealed.deleteOne({ _id: id });
        return false;
      }
      if (await this.#hideAsRead(post, hiddenFor)) {
        await this.#changes.announce({ kind: 'sealed', ids: [id] });
        return true;
      }
    }
    throw new Error(`the post ${id.toHexString()} changes too often to be hidden`);
  }

  async #hideAsRead(post: StoredPost, hiddenFor: HiddenFor): Promise<boolean> {
    const { _id, ids, fingerprint } = post;
    const at = this.#clock.now();
    await this.#ledger.record({ kind: 'hidden', post: _id, ids, fingerprint, hiddenFor });
    const names = named({ ids, fingerprint });
    const tombstone = { ...names, removedAt: at, sealed: 'hidden' as const, hiddenFor, changedAt: BY_DATABASE };
    const posts = this.#posts as unknown as Collection<Tombstone>;
    if (!isRemoved(post)) {
      const sealed = { post, platform: platformOf(post.url), at, isHidden: true as const };
      await this.#sealed.replaceOne({ _id }, sealed, { upsert: true });
      const live = { _id, removedAt: { $exists: false }, changedAt: post.changedAt };
      // If the post has changed, the next attempt keeps the new state aside.
      return (await posts.replaceOne(live as Filter<Tombstone>, tombstone)).modifiedCount === 1;
    }
    if (post.sealed === 'hidden') {
      const { matchedCount } = await posts.updateOne(
        { _id, sealed: 'hidden' },
        { $set: { hiddenFor }, $currentDate: CHANGED },
      );
      return matchedCount === 1;
    }
    // The new `at` prevents a concurrent `unseal` from deleting the copy aside.
    await this.#sealed.updateOne({ _id }, { $set: { isHidden: true, at, ...(post.sealed && { away: post.sealed }) } });
    const same = { _id, sealed: post.sealed, changedAt: post.changedAt } as Filter<Tombstone>;
    return (await posts.replaceOne(same, { ...tombstone, removedAt: post.removedAt })).modifiedCount === 1;
  }

  /**
   * Ends the hiding. The post is shown again, or stays out of sight if its author had taken it away. Its platform is
   * asked for its state at once. Returns false if the post is not hidden.
   */
  async unhide(id: ObjectId): Promise<boolean> {
    const tombstone = await this.#posts.findOne({ _id: id, ...HIDDEN });
    if (!tombstone) return false;
    const sealed = await this.#sealed.findOne({ _id: id });
    await this.#ledger.record({ kind: 'unhidden', post: id });
    const now = this.#clock.now();
    const isBack = (
      await this.#posts.replaceOne({ _id: id, ...HIDDEN }, this.#unhidden(tombstone as Tombstone, sealed, now))
    ).modifiedCount;
    if (isBack === 0) return false;
    if (sealed?.away) await this.#sealed.updateOne({ _id: id, at: sealed.at }, { $unset: { isHidden: '', away: '' } });
    else if (sealed) await this.#sealed.deleteOne({ _id: id, at: sealed.at });
    await this.#changes.announce({ kind: sealed && !sealed.away ? 'added' : 'sealed', ids: [id] });
    return true;
  }

  #unhidden({ ids, fingerprint, removedAt, _id }: Tombstone, sealed: SealedPost | null, now: Date): StoredPost {
    // After a restore whose backup did not hold the post, no copy is left. The post may be sent again.
    if (!sealed) return { ...undone(_id), removedAt, emptied: false, changedAt: BY_DATABASE } as Tombstone;
    const { post, away, platform: sealedOn } = sealed;
    if (away) {
      return {
        ...named({ ids, fingerprint }),
        removedAt,
        sealed: away,
        sealedOn,
        lookDueAt: now,
        changedAt: BY_DATABASE,
      } as Tombstone;
    }
    return { ...post, ...(post.isFromPlatform && { lookDueAt: now }), changedAt: BY_DATABASE };
  }

  /** Those of these posts that are kept aside, with all fields. */
  async findEach(ids: readonly ObjectId[]): Promise<PostDocument[]> {
    return (await this.#sealed.find({ _id: { $in: [...ids] } }).toArray()).map(({ post }) => post);
  }

  /** Counts hidden posts with exactly this handle, case included. */
  countHiddenOf(handle: string): Promise<number> {
    return this.#sealed.countDocuments({ isHidden: true, 'post.authorUsername': handle });
  }

  /** Posts of one author by the platform's author id, with all fields; only posts that the platform itself has told. */
  async findOfAuthor(platform: Platform, authorId: string): Promise<PostDocument[]> {
    const told = { platform, 'post.authorId': authorId, 'post.isFromPlatform': true } as const;
    const found = await this.#sealed.find(told).toArray();
    return found.map(({ post }) => post);
  }

  async find(id: ObjectId): Promise<PostDocument | null> {
    return (await this.#sealed.findOne({ _id: id }))?.post ?? null;
  }

  /** Posts that were sealed before this time and that the worker therefore removes for good. */
  async findOlderThan(before: Date, limit: number): Promise<PostDocument[]> {
    return (
      await this.#sealed
        .find({ at: { $lt: before }, isHidden: { $exists: false } })
        .limit(limit)
        .toArray()
    ).map(({ post }) => post);
  }

  /** Removes a sealed post for good and leaves an ordinary tombstone. Returns false if the post is no longer sealed. */
  async remove({ _id, ids, fingerprint, endedPayments = [], featuredPayment }: Named): Promise<boolean> {
    const removedAt = this.#clock.now();
    const paid = [...endedPayments, ...(featuredPayment ? [featuredPayment] : [])];
    await this.#ledger.record({ kind: 'removal', post: _id, ids, fingerprint, paid, removedAt });
    const { modifiedCount } = await (this.#posts as unknown as Collection<Tombstone>).updateOne(
      { _id, sealed: { $exists: true } },
      {
        $set: { emptied: false, removedAt },
        $unset: { sealed: '', sealedOn: '', lookDueAt: '', hiddenFor: '' },
        $currentDate: CHANGED,
      },
    );
    await this.drop([_id]);
    if (modifiedCount === 1) await this.#changes.announce({ kind: 'removed', ids: [_id] });
    return modifiedCount === 1;
  }

  /** Deletes the copies aside of removed posts. Also used after a kill between two writes. */
  async drop(ids: readonly ObjectId[]): Promise<void> {
    await this.#sealed.deleteMany({ _id: { $in: [...ids] } });
  }
}
