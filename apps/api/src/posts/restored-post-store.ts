import type { HiddenFor } from '@archive/contracts';
import { type Collection, type Db, type Document, type Filter, ObjectId } from 'mongodb';
import { isDuplicateKey } from '../db/database.ts';
import {
  BY_DATABASE,
  CHANGED,
  isRemoved,
  named,
  type StoredPost,
  type Tombstone,
  UNFEATURED,
  undone,
} from './post-document.ts';

type Hidden = Pick<Tombstone, 'ids' | 'fingerprint'> & { post: ObjectId; hiddenFor: HiddenFor; at: Date };
const ASIDE = { sealed: '', sealedOn: '', lookDueAt: '', hiddenFor: '' } as const;
const DAY_MS = 86_400_000;
type Removal = Pick<Tombstone, 'ids' | 'fingerprint' | 'removedAt'> & { post: ObjectId };

/** Posts of an archive during a restore; no process follows them yet. */
export class RestoredPostStore {
  readonly #posts: Collection<StoredPost>;
  readonly #sealed: Collection;

  constructor(db: Db) {
    this.#sealed = db.collection('sealed_posts');
    this.#posts = db.collection<StoredPost>('posts');
  }

  /**
   * Removes every post with one of these ids or this fingerprint. Leaves a tombstone that refuses them, even if no post
   * has them.
   */
  async removeAgain({ post: _id, ids, fingerprint, removedAt }: Removal): Promise<void> {
    const matching = await this.#posts.find({ $or: [{ _id }, { ids: { $in: ids } }, { fingerprint }] }).toArray();
    const isMeant = (post: StoredPost) =>
      isRemoved(post) || post._id.equals(_id) || ids.includes(post.id) || post.fingerprint === fingerprint;
    const found = matching.filter(isMeant);
    // The other posts have such an id only as an alias. They had lost it to the removed post by the time of the
    // removal.
    const others = matching.filter((post) => !isMeant(post)).map((post) => post._id);
    const away = { $pull: { ids: { $in: ids }, aliases: { id: { $in: ids } } }, $currentDate: CHANGED };
    if (others.length > 0) await this.#posts.updateMany({ _id: { $in: others } }, away as Document);
    // An undone post is not refused: its tombstone holds only its own id.
    const isUndone = fingerprint === undone(_id).fingerprint;
    for (const post of found.filter((one) => !isRemoved(one))) {
      const left = isUndone ? { ids, fingerprint } : { ids: post.ids, fingerprint: post.fingerprint };
      const tombstone = { ...named(left), removedAt, emptied: false, changedAt: BY_DATABASE };
      await this.#posts.replaceOne({ _id: post._id }, tombstone as unknown as StoredPost);
    }
    if (isUndone) {
      // This tombstone refuses nothing. It exists because payments refer to its `_id`.
      if (found.length === 0) await this.#posts.insertOne({ _id, ids, fingerprint, removedAt, changedAt: BY_DATABASE });
      return;
    }
    await this.#forgetAside(found.filter((one) => isRemoved(one) && one.sealed).map((one) => one._id));
    const known = new Set(found.flatMap((post) => post.ids));
    const unknown = ids.filter((id) => !known.has(id));
    const kept = found.find((post) => post.fingerprint === fingerprint);
    if (kept && unknown.length > 0) {
      const change = { $addToSet: { ids: { $each: unknown } }, $currentDate: CHANGED };
      await this.#posts.updateOne({ _id: kept._id }, change as Document);
    } else if (!kept) {
      const tombstone = {
        _id: found.some((post) => post._id.equals(_id)) ? new ObjectId() : _id,
        // If other tombstones hold all the ids, this one gets a unique id that no platform uses.
        ids: unknown.length > 0 ? unknown : [`removed:${fingerprint}`],
        ...named({ fingerprint }),
        removedAt,
        changedAt: BY_DATABASE,
      };
      await this.#posts.insertOne(tombstone as Tombstone);
    }
  }

  /**
   * Schedules a look at each post at a random time within a day. Authors may have deleted posts after the backup, and
   * the stream no longer delivers those events.
   */
  async lookAtAll(): Promise<void> {
    const within = { $add: ['$$NOW', { $multiply: [{ $rand: {} }, DAY_MS] }] };
    const shown = { isFromPlatform: true, removedAt: { $exists: false } } as Filter<StoredPost>;
    await this.#posts.updateMany(shown, [{ $set: { lookDueAt: { $toDate: within } } }]);
  }

  /**
   * Schedules another deletion of the media and evidence of removed posts, since the backup may have read them before
   * the removal.
   */
  async emptyAll(): Promise<void> {
    const removed = { removedAt: { $exists: true }, sealed: { $exists: false } } as Filter<StoredPost>;
    await this.#posts.updateMany(removed, { $set: { emptied: false } } as Document);
  }

  /** Removes for good what was kept aside when the backup was made. */
  async #forgetAside(ids: readonly ObjectId[]): Promise<void> {
    if (ids.length === 0) return;
    const change = { $set: { emptied: false }, $unset: ASIDE, $currentDate: CHANGED };
    await this.#posts.updateMany({ _id: { $in: [...ids] } }, change as Document);
    await this.#sealed.deleteMany({ _id: { $in: [...ids] } });
  }

  /**
   * Inserts a tombstone for a post that was hidden after the backup and that the backup does not hold. The post itself
   * is lost.
   */
  async refuseHidden({ post: _id, ids, fingerprint, hiddenFor, at }: Hidden): Promise<void> {
    const tombstone = {
      _id,
      ...named({ ids, fingerprint }),
      removedAt: at,
      sealed: 'hidden' as const,
      hiddenFor,
      changedAt: BY_DATABASE,
    };
    try {
      await this.#posts.insertOne(tombstone as Tombstone);
    } catch (error) {
      // Another post has its id or its fingerprint.
      if (!isDuplicateKey(error)) throw error;
    }
  }

  /**
   * Resolves ids and fingerprints that several posts share; only a backup without indexes can hold such posts. The post
   * with the greatest `_id` stays. Another post with the same key was undone, and becomes the tombstone of an undone
   * post. If a post shares the id only as an alias, it loses that alias. Returns the number of changed posts.
   */
  async yieldToNewer(removedAt: Date): Promise<number> {
    const shared = await this.#sharedKeys();
    if (shared.length === 0) return 0;
    const either = { $or: [{ ids: { $in: shared } }, { fingerprint: { $in: shared } }] };
    const [ids, fingerprints, payments] = [new Set<string>(), new Set<string>(), new Set<string>()];
    let count = 0;
    for await (const post of this.#posts.find(either, { hint: { _id: 1 } }).sort({ _id: -1 })) {
      const own = isRemoved(post) ? post.ids : [post.id];
      if (fingerprints.has(post.fingerprint) || own.some((id) => ids.has(id))) {
        const tombstone = { ...undone(post._id), removedAt, emptied: false, changedAt: BY_DATABASE };
        await this.#posts.replaceOne({ _id: post._id }, tombstone as unknown as StoredPost);
        count++;
        continue;
      }
      const taken = { $in: post.ids.filter((id) => ids.has(id)) };
      if (taken.$in.length > 0) {
        const change = { $pull: { ids: taken, aliases: { id: taken } }, $currentDate: CHANGED };
        await this.#posts.updateOne({ _id: post._id }, change as Document);
        count++;
      }
      const payment = isRemoved(post) ? undefined : post.featuredPayment;
      // The chain dropped the payment and showed it again later, when the id that it names belonged to another post.
      if (payment && payments.has(payment)) await this.#posts.updateOne({ _id: post._id }, UNFEATURED);
      for (const id of post.ids) ids.add(id);
      fingerprints.add(post.fingerprint);
      if (payment) payments.add(payment);
    }
    return count;
  }

  async #sharedKeys(): Promise<string[]> {
    const counted = this.#posts.aggregate<{ _id: string }>(
      [
        { $project: { _id: 0, key: { $setUnion: ['$ids', ['$fingerprint']] } } },
        { $unwind: '$key' },
        { $group: { _id: '$key', count: { $sum: 1 } } },
        { $match: { count: { $gt: 1 } } },
      ],
      { allowDiskUse: true },
    );
    return (await counted.toArray()).map(({ _id }) => _id);
  }

  async unmarkLaunched(_id: ObjectId): Promise<void> {
    await this.#posts.updateOne({ _id, launched: true }, { $set: { launched: false }, $currentDate: CHANGED });
  }

  /**
   * Inserts a post that was saved after the backup. Returns false if a post or tombstone has one of its ids or its
   * fingerprint.
   */
  async putBack(post: Document): Promise<boolean> {
    try {
      await this.#posts.insertOne({ ...post, changedAt: BY_DATABASE } as StoredPost);
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }
}
