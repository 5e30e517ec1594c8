import { randomUUID } from 'node:crypto';
import type { Collection, Db } from 'mongodb';
import { isDuplicateKey, PROMPT } from '../db/database.ts';
import type { MediaBlock, MediaDocument, MediaReference } from './media-document.ts';

/** In one look; the next one sees the rest. */
const UNFINISHED = 1_000;

/**
 * Which files are kept, which posts need them, and which are kept never again. Each step is one write that says under which
 * state it holds, so that any number of processes may keep and drop the same file at once, and be killed at it.
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

  /** What is served under this hash: nothing that is needed by posts out of sight alone. */
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

  /** What is kept under this hash. */
  find(sha256: string): Promise<MediaDocument | null> {
    return this.#media.findOne({ _id: sha256, state: 'kept' }, PROMPT);
  }

  /** Whatever is known under this hash, kept or on its way out. */
  findAny(sha256: string): Promise<MediaDocument | null> {
    return this.#media.findOne({ _id: sha256 });
  }

  /** Takes it back from going, where it is. Whoever needs it has said so before: then nobody lets it go after this. */
  hold(sha256: string, heldAt?: Date): Promise<MediaDocument | null> {
    return this.#media.findOneAndUpdate(
      { _id: sha256, state: { $in: ['kept', 'going'] } },
      { $set: { state: 'kept', ...(heldAt ? { heldAt } : {}) }, $unset: { look: '' } },
      { returnDocument: 'after' },
    );
  }

  /** False where something is known under its hash already. */
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

  /** It turned out not to be kept. */
  async takeBack(sha256: string, post: string): Promise<void> {
    await this.#references.deleteOne({ sha256, post });
  }

  /**
   * The post needs no file any more. Files that no other post needs are not served from then on, and answered: their bytes
   * are still to be removed, by whoever can reach them. Killed half-way it can be repeated.
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

  /** Of all whose hash begins with these digits, those that some post needs. */
  async neededOf(prefix: string): Promise<Set<string>> {
    return new Set(await this.#references.distinct('sha256', { sha256: beginningWith(prefix) }));
  }

  /**
   * The file, once it is `gone`, where no post needs it; else null. Between the two looks at who needs it stands the mark
   * that `hold` takes away, and that of another look replaces: what was decided before either holds no more.
   */
  async letGo(sha256: string): Promise<MediaDocument | null> {
    if (await this.isNeeded(sha256)) {
      // Whoever was looking at it may have been killed.
      await this.hold(sha256);
      // The last post that needed it may have let it go meanwhile, and `hold` undid that.
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

  /** The file, `gone` whoever needs it, who then needs it no more. */
  async expel(sha256: string): Promise<MediaDocument | null> {
    const gone = await this.#media.findOneAndUpdate({ _id: sha256 }, { $set: { state: 'gone' }, $unset: { look: '' } });
    await this.#references.deleteMany({ sha256 });
    return gone;
  }

  /** Forgets a file whose bytes are removed; never one that was kept anew meanwhile. */
  async forget({ _id, name }: MediaDocument): Promise<void> {
    await this.#media.deleteOne({ _id, name, state: 'gone' });
  }

  async block(sha256: string, at: Date): Promise<void> {
    await this.#blocks.updateOne({ _id: sha256 }, { $setOnInsert: { at } }, { upsert: true });
  }

  async isBlocked(sha256: string): Promise<boolean> {
    return (await this.#blocks.findOne({ _id: sha256 }, PROMPT)) !== null;
  }

  /** All whose hash begins with these digits. */
  allOf(prefix: string): AsyncIterable<MediaDocument> {
    return this.#media.find({ _id: beginningWith(prefix) });
  }

  /** What somebody has begun to remove. */
  unfinished(): Promise<MediaDocument[]> {
    return this.#media
      .find({ state: { $in: ['going', 'gone'] } })
      .limit(UNFINISHED)
      .toArray();
  }
}

/** `g` comes after every hexadecimal digit. */
function beginningWith(prefix: string) {
  return { $gte: prefix, $lt: `${prefix}g` };
}
