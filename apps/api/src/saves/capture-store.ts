import { Binary, type Collection, type Db, type ObjectId } from 'mongodb';
import type { FetchedPost, SourcePlatform } from '../sources/source.ts';

interface CaptureDocument {
  /** Of the post. */
  _id: ObjectId;
  platform: SourcePlatform;
  /** What the platform calls the post. */
  address: string;
  at: Date;
  /** The platform's answer as it came. */
  raw: Binary;
  /** The record with its author's signature, and the key it was checked against. */
  signed?: { car: Binary; key: string; did: string };
}

export interface Capture {
  raw: Uint8Array;
  signed: { car: Uint8Array; key: string; did: string } | null;
}

/** What posts were taken from, as evidence; never answered by a public call, and gone with its post. */
export class CaptureStore {
  readonly #captures: Collection<CaptureDocument>;

  constructor(db: Db) {
    this.#captures = db.collection<CaptureDocument>('captures');
  }

  /** The first that was taken of a post stays, unless it was not signed and this one is. */
  async keep(post: ObjectId, { target, raw, signed }: FetchedPost, at: Date): Promise<void> {
    const capture: Omit<CaptureDocument, '_id'> = {
      platform: target.platform,
      address: target.address,
      at,
      raw: binary(raw),
      ...(signed && { signed: { ...signed, car: binary(signed.car) } }),
    };
    await this.#captures.updateOne({ _id: post }, { $setOnInsert: capture }, { upsert: true });
    if (signed) await this.#captures.updateOne({ _id: post, signed: { $exists: false } }, { $set: capture });
  }

  async find(post: ObjectId): Promise<Capture | null> {
    const found = await this.#captures.findOne({ _id: post });
    if (!found) return null;
    const { signed } = found;
    return { raw: found.raw.buffer, signed: signed ? { ...signed, car: signed.car.buffer } : null };
  }

  async drop(posts: readonly ObjectId[]): Promise<void> {
    await this.#captures.deleteMany({ _id: { $in: [...posts] } });
  }
}

/** What was read back from the database is one already. */
function binary(bytes: Uint8Array | Binary): Binary {
  return bytes instanceof Binary ? bytes : new Binary(bytes);
}
