import { createHash } from 'node:crypto';
import { MESSAGE_WINDOW_MS } from '@archive/contracts';
import type { Collection, Db } from 'mongodb';
import { isDuplicateKey } from '../db/database.ts';
import { fromNow } from '../db/expiry.ts';

/** Twice the window: a message may come from the future by one window and is acceptable until one after. */
const KEPT_MS = 2 * MESSAGE_WINDOW_MS + 60_000;

interface Seen {
  /** SHA-256 of the text, never of the signature: one text has many valid signatures. */
  _id: string;
  expiresAt: Date;
}

interface Mark {
  /** What the message is about: wallet, post and type, or wallet and profile. */
  _id: string;
  timestamp: number;
  expiresAt: Date;
}

/** Remembers which signed messages were accepted, for as long as they would be acceptable again. */
export class SignedMessageStore {
  readonly #seen: Collection<Seen>;
  readonly #marks: Collection<Mark>;

  constructor(db: Db) {
    this.#seen = db.collection<Seen>('signed_messages');
    this.#marks = db.collection<Mark>('signed_marks');
  }

  /**
   * Accepts a message once, within the window around its timestamp, and only if it is newer than the last one about the same
   * thing; of any number of equal calls one gets `accepted`. All times are the database's, so that no process whose clock
   * is off takes it a second time. Answers the database's time where that lies outside the window.
   */
  async accept(message: string, about: string, timestamp: number): Promise<'accepted' | 'replayed' | Date> {
    const hash = createHash('sha256').update(message).digest('hex');
    const first = await this.#see(hash);
    if (!first) return 'replayed';
    const at = first.getTime() - KEPT_MS;
    if (Math.abs(timestamp - at) > MESSAGE_WINDOW_MS) {
      // Not used: what came too early may come again.
      await this.#seen.deleteOne({ _id: hash });
      return new Date(at);
    }
    const mark = [{ $set: { timestamp, expiresAt: fromNow(KEPT_MS) } }];
    // Where a mark is newer, the filter misses it and the insert of a second one fails on its id.
    const isNewest = this.#marks.updateOne({ _id: about, timestamp: { $lt: timestamp } }, mark, { upsert: true });
    return (await unlessDuplicate(isNewest)) ? 'accepted' : 'replayed';
  }

  /** Until when a text is remembered that was not seen before; null where it was. */
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

/** Null where another write of the same key was first. */
async function unlessDuplicate<Written>(write: Promise<Written>): Promise<Written | null> {
  try {
    return await write;
  } catch (error) {
    if (isDuplicateKey(error)) return null;
    throw error;
  }
}
