import { Binary, type Collection, type Db, type ObjectId } from 'mongodb';
import { ownPartOf } from '../sources/own-part.ts';
import type { FetchedPost, SourcePlatform } from '../sources/source.ts';

export interface CaptureDocument {
  /** Of the post. */
  _id: ObjectId;
  platform: SourcePlatform;
  /** What the platform calls the post. */
  address: string;
  at: Date;
  /** The post's own part of the platform's answer. */
  own: Binary;
  /** The whole answer, as the version before kept it, until it is cut. */
  raw?: Binary;
  /** The record with its author's signature, and the key it was checked against. */
  signed?: { car: Binary; key: string; did: string };
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
      // A request that the version before has fetched holds the whole answer.
      own: cut(target, raw),
      ...(signed && { signed: { ...signed, car: binary(signed.car) } }),
    };
    await this.#captures.updateOne({ _id: post }, { $setOnInsert: capture }, { upsert: true });
    if (signed) await this.#captures.updateOne({ _id: post, signed: { $exists: false } }, { $set: capture });
  }

  /** Cuts answers that are kept whole down to their posts' own parts; answers how many were found. */
  async cutWhole(limit: number): Promise<number> {
    const whole = await this.#captures.find({ raw: { $exists: true } }, { limit, hint: 'whole' }).toArray();
    for (const { _id, at, raw, ...target } of whole) {
      const own = cut(target, raw as Binary);
      // A process of the version before may have taken it again since.
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

/** What was read back from the database is one already. */
function binary(bytes: Uint8Array | Binary): Binary {
  return bytes instanceof Binary ? bytes : new Binary(bytes);
}
