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

/** Posts of an archive that is being restored, and that nobody follows yet. */
export class RestoredPostStore {
  readonly #posts: Collection<StoredPost>;
  readonly #sealed: Collection;

  constructor(db: Db) {
    this.#sealed = db.collection('sealed_posts');
    this.#posts = db.collection<StoredPost>('posts');
  }

  /** Removes whatever has one of these ids or this fingerprint, and refuses them also where nothing has. */
  async removeAgain({ post: _id, ids, fingerprint, removedAt }: Removal): Promise<void> {
    const matching = await this.#posts.find({ $or: [{ _id }, { ids: { $in: ids } }, { fingerprint }] }).toArray();
    const isMeant = (post: StoredPost) =>
      isRemoved(post) || post._id.equals(_id) || ids.includes(post.id) || post.fingerprint === fingerprint;
    const found = matching.filter(isMeant);
    // Another post has such an id as an alias. By the time of the removal it had lost it to the removed post.
    const others = matching.filter((post) => !isMeant(post)).map((post) => post._id);
    const away = { $pull: { ids: { $in: ids }, aliases: { id: { $in: ids } } }, $currentDate: CHANGED };
    if (others.length > 0) await this.#posts.updateMany({ _id: { $in: others } }, away as Document);
    // Undone and not refused: its tombstone names nothing but itself.
    const isUndone = fingerprint === undone(_id).fingerprint;
    for (const post of found.filter((one) => !isRemoved(one))) {
      const left = isUndone ? { ids, fingerprint } : { ids: post.ids, fingerprint: post.fingerprint };
      const tombstone = { ...named(left), removedAt, emptied: false, changedAt: BY_DATABASE };
      await this.#posts.replaceOne({ _id: post._id }, tombstone as unknown as StoredPost);
    }
    if (isUndone) {
      // It names nothing; what was paid for it names it.
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
        // Where other tombstones have all of them: unique, and no platform's.
        ids: unknown.length > 0 ? unknown : [`removed:${fingerprint}`],
        ...named({ fingerprint }),
        removedAt,
        changedAt: BY_DATABASE,
      };
      await this.#posts.insertOne(tombstone as Tombstone);
    }
  }

  /**
   * Has each platform asked within a day what has become of its posts: their authors may have deleted some after the backup,
   * and the stream that told of it has passed.
   */
  async lookAtAll(): Promise<void> {
    const within = { $add: ['$$NOW', { $multiply: [{ $rand: {} }, DAY_MS] }] };
    const shown = { isFromPlatform: true, removedAt: { $exists: false } } as Filter<StoredPost>;
    await this.#posts.updateMany(shown, [{ $set: { lookDueAt: { $toDate: within } } }]);
  }

  /** Has media and evidence of removed posts looked for again: a backup may have read them before the removal. */
  async emptyAll(): Promise<void> {
    const removed = { removedAt: { $exists: true }, sealed: { $exists: false } } as Filter<StoredPost>;
    await this.#posts.updateMany(removed, { $set: { emptied: false } } as Document);
  }

  /** What was kept aside when the backup was made is removed now. */
  async #forgetAside(ids: readonly ObjectId[]): Promise<void> {
    if (ids.length === 0) return;
    const change = { $set: { emptied: false }, $unset: ASIDE, $currentDate: CHANGED };
    await this.#posts.updateMany({ _id: { $in: [...ids] } }, change as Document);
    await this.#sealed.deleteMany({ _id: { $in: [...ids] } });
  }

  /** Refuses what was hidden after the backup and is in it no more than in the archive; only a tombstone is left of it. */
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
      // Another post has its id or its words.
      if (!isDuplicateKey(error)) throw error;
    }
  }

  /**
   * Of posts that share an id or a fingerprint, as only a backup without indexes can hold them, the one with the greatest `_id`
   * stays as it is. Another one was undone, and becomes what an undone post leaves; where it only had the id beside its
   * own, it gives that away. Answers how many were changed.
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
      // The chain took it back and showed it again, and the id that it names was another post's by then.
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

  /** A post that was saved after the backup; false where there is one of its ids or text, removed ones included. */
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
