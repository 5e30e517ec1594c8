import { Binary, type Collection, type Db, type ObjectId } from 'mongodb';
import { ownPartOf } from '../sources/own-part.ts';
import type { FetchedPost, SourcePlatform } from '../sources/source.ts';

export interface CaptureDocument {
  /** `_id` of the post. */
  _id: ObjectId;
  platform: SourcePlatform;
  /** The platform's address of the post. */
  address: string;
  at: Date;
  /** The part of the platform's answer that is about this post. */
  own: Binary;
  /** The whole answer as an earlier version kept it, until `cutWhole` reduces it. */
  raw?: Binary;
  /** The record with its author's signature, and the key that verified it. */
  signed?: { car: Binary; key: string; did: string };
}

/** The evidence of posts: what they were taken from. No public call returns it, and it is deleted with its post. */
export class CaptureStore {
  readonly #captures: Collection<CaptureDocument>;

  constructor(db: Db) {
    this.#captures = db.collection<CaptureDocument>('captures');
  }

  /**
   * Keeps the first capture of a post. A later one replaces it only if the first is unsigned and the later one is
   * signed.
   */
  async keep(post: ObjectId, { target, raw, signed }: FetchedPost, at: Date): Promise<void> {
    const capture: Omit<CaptureDocument, '_id'> = {
      platform: target.platform,
      address: target.address,
      at,
      // A request that an earlier version fetched holds the whole answer.
      own: cut(target, raw),
      ...(signed && { signed: { ...signed, car: binary(signed.car) } }),
    };
    await this.#captures.updateOne({ _id: post }, { $setOnInsert: capture }, { upsert: true });
    if (signed) await this.#captures.updateOne({ _id: post, signed: { $exists: false } }, { $set: capture });
  }

  /** Reduces whole answers to the part about their post. Returns how many were found. */
  async cutWhole(limit: number): Promise<number> {
    const whole = await this.#captures.find({ raw: { $exists: true } }, { limit, hint: 'whole' }).toArray();
    for (const { _id, at, raw, ...target } of whole) {
      const own = cut(target, raw as Binary);
      // A process of the earlier version may have replaced the capture since.
      await this.#captures.updateOne({ _id, at }, { $set: { own }, $unset: { raw: '' } });
    }
    return whole.length;
  }

  async drop(posts: readonly ObjectId[]): Promise<void> {
    await this.#captures.deleteMany({ _id: { $in: [...posts] } });
  }
}

function cut(target: Pick<CaptureDocument, 'platform' | 'address'>, raw: Uint8Array | Binary): Binary {
  return binary(ownPartOf(target, binary(raw).buffer));
}

/** Values read from the database are `Binary` already. */
function binary(bytes: Uint8Array | Binary): Binary {
  return bytes instanceof Binary ? bytes : new Binary(bytes);
}
