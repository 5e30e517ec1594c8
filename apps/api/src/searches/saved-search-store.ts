import { SAVED_SEARCHES, type SavedSearch } from '@archive/contracts';
import type { Collection, Db, ObjectId, WithoutId } from 'mongodb';
import { isDuplicateKey } from '../db/database.ts';

export interface SavedSearchDocument {
  _id: ObjectId;
  wallet: string;
  name: string;
  /** Filters as in the address of a list, each once and in a fixed order. */
  query: string;
  createdAt: Date;
  seenAt: Date;
}

export class SavedSearchStore {
  readonly #searches: Collection<WithoutId<SavedSearchDocument>>;

  constructor(db: Db) {
    this.#searches = db.collection<WithoutId<SavedSearchDocument>>('saved_searches');
  }

  /** Newest first. */
  of(wallet: string): Promise<SavedSearchDocument[]> {
    return this.#searches.find({ wallet }).sort({ createdAt: -1 }).limit(SAVED_SEARCHES).toArray();
  }

  find(wallet: string, query: string): Promise<SavedSearchDocument | null> {
    return this.#searches.findOne({ wallet, query });
  }

  /**
   * Null if the wallet has saved the most searches allowed. Of several simultaneous calls, fewer may succeed than
   * allowed.
   */
  async add(search: WithoutId<SavedSearchDocument>): Promise<SavedSearchDocument | null> {
    const { wallet, query } = search;
    const count = () => this.#searches.countDocuments({ wallet }, { limit: SAVED_SEARCHES + 1 });
    if ((await count()) >= SAVED_SEARCHES) return null;
    try {
      const { insertedId } = await this.#searches.insertOne({ ...search });
      if ((await count()) <= SAVED_SEARCHES) return { ...search, _id: insertedId };
      await this.#searches.deleteOne({ _id: insertedId });
      return null;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return this.find(wallet, query);
    }
  }

  change(wallet: string, _id: ObjectId, change: Partial<Pick<SavedSearchDocument, 'name' | 'seenAt'>>) {
    const options = { returnDocument: 'after' } as const;
    if (Object.keys(change).length === 0) return this.#searches.findOne({ _id, wallet });
    return this.#searches.findOneAndUpdate({ _id, wallet }, { $set: change }, options);
  }

  count(wallet: string): Promise<number> {
    return this.#searches.countDocuments({ wallet });
  }

  /** Deletes all searches that a wallet had saved by `until`. */
  async dropAll(wallet: string, until: Date): Promise<void> {
    await this.#searches.deleteMany({ wallet, createdAt: { $lte: until } });
  }

  async drop(wallet: string, _id: ObjectId): Promise<void> {
    await this.#searches.deleteOne({ _id, wallet });
  }
}

export function toSavedSearch(search: SavedSearchDocument, newPosts: number): SavedSearch {
  return {
    _id: search._id.toHexString(),
    name: search.name,
    query: search.query,
    createdAt: search.createdAt.toISOString(),
    seenAt: search.seenAt.toISOString(),
    newPosts,
  };
}
