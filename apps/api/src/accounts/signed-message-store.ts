import { createHash } from 'node:crypto';
import { MESSAGE_WINDOW_MS } from '@archive/contracts';
import type { Collection, Db } from 'mongodb';
import { isDuplicateKey } from '../db/database.ts';
import { fromNow } from '../db/expiry.ts';

/** Twice the window: a message may be dated one window ahead, and is valid until one window after its date. */
const KEPT_MS = 2 * MESSAGE_WINDOW_MS + 60_000;

interface Seen {
  /** SHA-256 of the text rather than the signature, since one text has many valid signatures. */
  _id: string;
  expiresAt: Date;
}

interface Mark {
  /** The subject of the message: wallet, post and type, or wallet and profile. */
  _id: string;
  timestamp: number;
  expiresAt: Date;
}

/** Records accepted signed messages for as long as they could be accepted again. */
export class SignedMessageStore {
  readonly #seen: Collection<Seen>;
  readonly #marks: Collection<Mark>;

  constructor(db: Db) {
    this.#seen = db.collection<Seen>('signed_messages');
    this.#marks = db.collection<Mark>('signed_marks');
  }

  /**
   * Accepts a message once, within the window around its timestamp, and only if it is newer than the last one about the
   * same subject. Of several equal calls, one gets `accepted`. All times come from the database, so that a process with
   * a wrong clock cannot accept a message again. Returns the database's time if that is outside the window.
   */
  async accept(message: string, about: string, timestamp: number): Promise<'accepted' | 'replayed' | Date> {
    const hash = createHash('sha256').update(message).digest('hex');
    const first = await this.#see(hash);
    if (!first) return 'replayed';
    const at = first.getTime() - KEPT_MS;
    if (Math.abs(timestamp - at) > MESSAGE_WINDOW_MS) {
      // The record is deleted, since a message that came too early may be sent again.
      await this.#seen.deleteOne({ _id: hash });
      return new Date(at);
    }
    const mark = [{ $set: { timestamp, expiresAt: fromNow(KEPT_MS) } }];
    // If a newer mark exists, the filter does not match, and the insert fails on its `_id`.
    const isNewest = this.#marks.updateOne({ _id: about, timestamp: { $lt: timestamp } }, mark, { upsert: true });
    return (await unlessDuplicate(isNewest)) ? 'accepted' : 'replayed';
  }

  /** Records a new text and returns when the record expires; null if the text is known. */
  async #see(hash: string): Promise<Date | null> {
    const expiresAt = { $ifNull: ['$expiresAt', fromNow(KEPT_MS)] };
    const seeing = this.#seen.findOneAndUpdate({ _id: hash }, [{ $set: { expiresAt } }], {
      upsert: true,
      returnDocument: 'after',
      includeResultMetadata: true,
    });
    const seen = await unlessDuplicate(seeing);
    return seen?.lastErrorObject?.['updatedExisting'] === false ? (seen.value?.expiresAt ?? null) : null;
  }
}

/** Null if a simultaneous write of the same key was first. */
async function unlessDuplicate<Written>(write: Promise<Written>): Promise<Written | null> {
  try {
    return await write;
  } catch (error) {
    if (isDuplicateKey(error)) return null;
    throw error;
  }
}
