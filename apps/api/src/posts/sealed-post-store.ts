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

/** A post whole that is out of sight: its author took it away and may bring it back, or operators hid it. */
interface SealedPost {
  _id: ObjectId;
  post: PostDocument;
  platform: Platform;
  at: Date;
  /** Until operators show it again; looks at its platform and days leave it alone. */
  isHidden?: true;
  /** How it stood before it was hidden, where its author had taken it away. */
  away?: 'deleted' | 'protected';
}

/** What a removal has to know of a post; of what was hidden again after a restore no more is left. */
type Named = Pick<PostDocument, '_id' | 'ids' | 'fingerprint' | 'endedPayments' | 'featuredPayment'>;

/** Out of sight by its author, and not by operators. */
const AWAY = { sealed: { $in: ['deleted', 'protected'] } } as unknown as Filter<StoredPost>;
const HIDDEN = { sealed: 'hidden' } as unknown as Filter<StoredPost>;
/** Hiding or showing a post is tried so often where another change comes between. */
const TRIES = 10;
/** Longer than hiding takes. */
const HIDING_MS = 60_000;

/** Posts out of sight, by their authors or by operators: a tombstone stands in their place, and they are kept aside. Announces what it changes. */
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
   * Takes a post out of sight, as it was read. Doing it again, also after a kill between the two writes, changes nothing.
   * False where it has changed since it was read.
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
      // What has happened to it since would be lost with it.
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

  /** Never over what operators have hidden or are about to; what a hiding has left that was killed is in nobody's way. */
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

  /** Those that are to be looked at again, for nobody else until `until`. */
  async claim(platform: Platform, limit: number, now: Date, until: Date): Promise<PostDocument[]> {
    const due = { sealedOn: platform, lookDueAt: { $lte: now } } as Filter<StoredPost>;
    const ids = (await this.#posts.find(due, { projection: { _id: 1 }, limit }).toArray()).map(({ _id }) => _id);
    await this.#posts.updateMany({ _id: { $in: ids } }, { $set: { lookDueAt: until } } as never);
    return (await this.#sealed.find({ _id: { $in: ids } }).toArray()).map(({ post }) => post);
  }

  /** Its author has brought it back: it is shown whole again. */
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
   * Hides a post, whoever sees it now, until `unhide`; one that is hidden stays so, for what is said last. False where there
   * is none, or it was removed for good.
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
      // Where it has changed, the next try keeps it aside as it is then.
      return (await posts.replaceOne(live as Filter<Tombstone>, tombstone)).modifiedCount === 1;
    }
    if (post.sealed === 'hidden') {
      const { matchedCount } = await posts.updateOne(
        { _id, sealed: 'hidden' },
        { $set: { hiddenFor }, $currentDate: CHANGED },
      );
      return matchedCount === 1;
    }
    // Another `at`: whoever brings it back meanwhile does not take what is kept aside with them.
    await this.#sealed.updateOne({ _id }, { $set: { isHidden: true, at, ...(post.sealed && { away: post.sealed }) } });
    const same = { _id, sealed: post.sealed, changedAt: post.changedAt } as Filter<Tombstone>;
    return (await posts.replaceOne(same, { ...tombstone, removedAt: post.removedAt })).modifiedCount === 1;
  }

  /**
   * Shows a hidden post again as it was before, out of sight where its author had taken it away. Its platform is asked now
   * what has become of it. False where it is not hidden.
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
    // Hidden again after a restore whose backup did not know it: it may be sent again.
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

  /** Of these, the hidden ones whole. */
  async findEach(ids: readonly ObjectId[]): Promise<PostDocument[]> {
    return (await this.#sealed.find({ _id: { $in: [...ids] } }).toArray()).map(({ post }) => post);
  }

  /** Hidden posts under a handle as it is written. */
  countHiddenOf(handle: string): Promise<number> {
    return this.#sealed.countDocuments({ isHidden: true, 'post.authorUsername': handle });
  }

  /** Whole, of one author by the platform's own id, as the platform itself has told it. */
  async findOfAuthor(platform: Platform, authorId: string): Promise<PostDocument[]> {
    const told = { platform, 'post.authorId': authorId, 'post.isFromPlatform': true } as const;
    const found = await this.#sealed.find(told).toArray();
    return found.map(({ post }) => post);
  }

  async find(id: ObjectId): Promise<PostDocument | null> {
    return (await this.#sealed.findOne({ _id: id }))?.post ?? null;
  }

  /** Those that were sealed before a day: nobody brings them back any more. */
  async findOlderThan(before: Date, limit: number): Promise<PostDocument[]> {
    return (
      await this.#sealed
        .find({ at: { $lt: before }, isHidden: { $exists: false } })
        .limit(limit)
        .toArray()
    ).map(({ post }) => post);
  }

  /** Removes it for good: what is left is a tombstone like any other. False where it is sealed no more. */
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

  /** What is kept aside of removed posts: also where a process was killed between two writes. */
  async drop(ids: readonly ObjectId[]): Promise<void> {
    await this.#sealed.deleteMany({ _id: { $in: [...ids] } });
  }
}
