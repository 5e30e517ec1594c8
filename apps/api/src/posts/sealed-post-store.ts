import type { Platform } from '@archive/contracts';
import type { Collection, Db, Filter, ObjectId } from 'mongodb';
import type { DatabaseClock } from '../db/database.ts';
import type { LedgerWriter } from '../ledger/ledger-entry.ts';
import type { PostChanges } from './post-changes.ts';
import { BY_DATABASE, CHANGED, type PostDocument, type StoredPost, type Tombstone } from './post-document.ts';

/** A post that its author took away, whole, for as long as they may bring it back. */
interface SealedPost {
  _id: ObjectId;
  post: PostDocument;
  platform: Platform;
  at: Date;
}

/** Posts out of sight: a tombstone stands in their place, and they are kept aside. Announces what it changes. */
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
    await this.#sealed.replaceOne({ _id }, { post, platform, at }, { upsert: true });
    const { modifiedCount } = await (this.#posts as unknown as Collection<Tombstone>).replaceOne(
      // What has happened to it since would be lost with it.
      { _id, removedAt: { $exists: false }, changedAt: post.changedAt },
      { ids, fingerprint, removedAt: at, sealed: reason, sealedOn: platform, lookDueAt, changedAt: BY_DATABASE },
    );
    if (modifiedCount === 0) await this.#sealed.deleteOne({ _id, at });
    else await this.#changes.announce({ kind: 'sealed', ids: [_id] });
    return modifiedCount === 1;
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

  /** Whole, of one author by the platform's own id. */
  async findOfAuthor(platform: Platform, authorId: string): Promise<PostDocument[]> {
    const found = await this.#sealed.find({ platform, 'post.authorId': authorId }).toArray();
    return found.map(({ post }) => post);
  }

  async find(id: ObjectId): Promise<PostDocument | null> {
    return (await this.#sealed.findOne({ _id: id }))?.post ?? null;
  }

  /** Those that were sealed before a day: nobody brings them back any more. */
  async findOlderThan(before: Date, limit: number): Promise<PostDocument[]> {
    return (
      await this.#sealed
        .find({ at: { $lt: before } })
        .limit(limit)
        .toArray()
    ).map(({ post }) => post);
  }

  /** Removes it for good: what is left is a tombstone like any other. False where it is sealed no more. */
  async remove({ _id, ids, fingerprint, endedPayments = [], featuredPayment }: PostDocument): Promise<boolean> {
    const removedAt = this.#clock.now();
    const paid = [...endedPayments, ...(featuredPayment ? [featuredPayment] : [])];
    await this.#ledger.record({ kind: 'removal', post: _id, ids, fingerprint, paid, removedAt });
    const { modifiedCount } = await (this.#posts as unknown as Collection<Tombstone>).updateOne(
      { _id, sealed: { $exists: true } },
      {
        $set: { emptied: false },
        $unset: { sealed: '', sealedOn: '', lookDueAt: '' },
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
