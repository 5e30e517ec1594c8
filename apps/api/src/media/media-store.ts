import { randomUUID } from 'node:crypto';
import type { Collection, Db } from 'mongodb';
import { isDuplicateKey, PROMPT } from '../db/database.ts';
import type { MediaBlock, MediaDocument, MediaReference } from './media-document.ts';

/** Files in one read; the next read returns the rest. */
const UNFINISHED = 1_000;

/**
 * Stored files, references from posts, and blocks. Each step is one write that names the state it expects. So any
 * number of processes may store and drop the same file at once, and a kill at any point is safe.
 */
export class MediaStore {
  readonly #media: Collection<MediaDocument>;
  readonly #references: Collection<MediaReference>;
  readonly #blocks: Collection<MediaBlock>;

  constructor(db: Db) {
    this.#media = db.collection<MediaDocument>('media');
    this.#references = db.collection<MediaReference>('media_refs');
    this.#blocks = db.collection<MediaBlock>('media_blocks');
  }

  /** The file to serve under this hash. Null if only posts out of sight need it. */
  async findServed(sha256: string): Promise<MediaDocument | null> {
    const [found, shown, sealed] = await Promise.all([
      this.find(sha256),
      this.#references.findOne({ sha256, sealed: { $exists: false } }, PROMPT),
      this.#references.findOne({ sha256, sealed: true }, PROMPT),
    ]);
    return shown || !sealed ? found : null;
  }

  async seal(post: string, isSealed: boolean): Promise<void> {
    const change = isSealed ? { $set: { sealed: true as const } } : { $unset: { sealed: '' as const } };
    await this.#references.updateMany({ post }, change);
  }

  /** The kept file with this hash. */
  find(sha256: string): Promise<MediaDocument | null> {
    return this.#media.findOne({ _id: sha256, state: 'kept' }, PROMPT);
  }

  /** The file with this hash in any state. */
  findAny(sha256: string): Promise<MediaDocument | null> {
    return this.#media.findOne({ _id: sha256 });
  }

  /**
   * Sets a `going` file back to `kept`. The caller has written its reference before, so no process drops the file after
   * this.
   */
  hold(sha256: string, heldAt?: Date): Promise<MediaDocument | null> {
    return this.#media.findOneAndUpdate(
      { _id: sha256, state: { $in: ['kept', 'going'] } },
      { $set: { state: 'kept', ...(heldAt ? { heldAt } : {}) }, $unset: { look: '' } },
      { returnDocument: 'after' },
    );
  }

  /** Returns false if a document with this hash exists. */
  async insert(document: MediaDocument): Promise<boolean> {
    try {
      await this.#media.insertOne(document);
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  async refer(sha256: string, post: string): Promise<void> {
    await this.#references
      .updateOne({ sha256, post }, { $setOnInsert: { sha256, post } }, { upsert: true })
      .catch((error) => {
        if (!isDuplicateKey(error)) throw error;
      });
  }

  /** Removes a reference, because the file is not stored after all. */
  async takeBack(sha256: string, post: string): Promise<void> {
    await this.#references.deleteOne({ sha256, post });
  }

  /**
   * Removes the post's references. Returns the files that no other post needs; they are no longer served, and the
   * caller must delete their bytes. Can be repeated after a kill.
   */
  async unrefer(post: string): Promise<MediaDocument[]> {
    const gone: MediaDocument[] = [];
    for (const sha256 of await this.#references.distinct('sha256', { post })) {
      await this.#references.deleteOne({ sha256, post });
      const file = await this.letGo(sha256);
      if (file) gone.push(file);
    }
    return gone;
  }

  async isNeeded(sha256: string): Promise<boolean> {
    return (await this.#references.findOne({ sha256 }, { projection: { _id: 1 } })) !== null;
  }

  /** Hashes with this prefix that some post needs. */
  async neededOf(prefix: string): Promise<Set<string>> {
    return new Set(await this.#references.distinct('sha256', { sha256: beginningWith(prefix) }));
  }

  /**
   * Marks the file as `gone` and returns it, if no post needs it; else null. The need is checked before and after the
   * file is marked as `going` with a check id. `hold` removes the id and another check replaces it; either cancels this
   * one.
   */
  async letGo(sha256: string): Promise<MediaDocument | null> {
    if (await this.isNeeded(sha256)) {
      // A check that was killed may have left the file as `going`.
      await this.hold(sha256);
      // The last post may have dropped its reference meanwhile, and `hold` has undone that check.
      if (await this.isNeeded(sha256)) return null;
    }
    const look = randomUUID();
    const going = await this.#media.findOneAndUpdate(
      { _id: sha256, state: { $in: ['kept', 'going'] } },
      { $set: { state: 'going', look } },
      { returnDocument: 'after' },
    );
    if (!going) return this.#media.findOne({ _id: sha256, state: 'gone' });
    if (await this.isNeeded(sha256)) {
      await this.#media.updateOne({ _id: sha256, look }, { $set: { state: 'kept' }, $unset: { look: '' } });
      return null;
    }
    return this.#media.findOneAndUpdate({ _id: sha256, look }, { $set: { state: 'gone' } });
  }

  /** Marks the file as `gone` even if posts need it, and removes their references. */
  async expel(sha256: string): Promise<MediaDocument | null> {
    const gone = await this.#media.findOneAndUpdate({ _id: sha256 }, { $set: { state: 'gone' }, $unset: { look: '' } });
    await this.#references.deleteMany({ sha256 });
    return gone;
  }

  /** Deletes the document of a file whose bytes are deleted, but not if the file was stored again meanwhile. */
  async forget({ _id, name }: MediaDocument): Promise<void> {
    await this.#media.deleteOne({ _id, name, state: 'gone' });
  }

  async block(sha256: string, at: Date): Promise<void> {
    await this.#blocks.updateOne({ _id: sha256 }, { $setOnInsert: { at } }, { upsert: true });
  }

  async isBlocked(sha256: string): Promise<boolean> {
    return (await this.#blocks.findOne({ _id: sha256 }, PROMPT)) !== null;
  }

  /** All files whose hash begins with these digits. */
  allOf(prefix: string): AsyncIterable<MediaDocument> {
    return this.#media.find({ _id: beginningWith(prefix) });
  }

  /** Files whose removal has begun. */
  unfinished(): Promise<MediaDocument[]> {
    return this.#media
      .find({ state: { $in: ['going', 'gone'] } })
      .limit(UNFINISHED)
      .toArray();
  }
}

/** `g` sorts after every hexadecimal digit. */
function beginningWith(prefix: string) {
  return { $gte: prefix, $lt: `${prefix}g` };
}
