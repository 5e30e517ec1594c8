import { type Collection, type Db, type Document, ObjectId } from 'mongodb';
import { isDuplicateKey } from '../db/database.ts';
import { BY_DATABASE, CHANGED, isRemoved, type StoredPost, type Tombstone } from './post-document.ts';

type Removal = Pick<Tombstone, 'ids' | 'fingerprint' | 'removedAt'> & { post: ObjectId };

/** Posts of an archive that is being restored, and that nobody follows yet. */
export class RestoredPostStore {
  readonly #posts: Collection<StoredPost>;

  constructor(db: Db) {
    this.#posts = db.collection<StoredPost>('posts');
  }

  /** Removes whatever has one of these ids or this fingerprint, and refuses them also where nothing has. */
  async removeAgain({ post: _id, ids, fingerprint, removedAt }: Removal): Promise<void> {
    const found = await this.#posts.find({ $or: [{ _id }, { ids: { $in: ids } }, { fingerprint }] }).toArray();
    // Undone and not refused: its tombstone names nothing but itself.
    const isUndone = fingerprint === _id.toHexString();
    for (const post of found.filter((one) => !isRemoved(one))) {
      const left = isUndone ? { ids, fingerprint } : { ids: post.ids, fingerprint: post.fingerprint };
      const tombstone = { ...left, removedAt, changedAt: BY_DATABASE };
      await this.#posts.replaceOne({ _id: post._id }, tombstone as unknown as StoredPost);
    }
    if (isUndone) return;
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
        fingerprint,
        removedAt,
        changedAt: BY_DATABASE,
      };
      await this.#posts.insertOne(tombstone as Tombstone);
    }
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
