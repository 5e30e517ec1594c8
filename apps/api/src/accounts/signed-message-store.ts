import { createHash } from 'node:crypto';
import { MESSAGE_WINDOW_MS } from '@archive/contracts';
import type { Collection, Db } from 'mongodb';
import { isDuplicateKey } from '../db/database.ts';

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
   * Accepts a message once, and only if it is newer than the last one about the same thing. Answers false otherwise; of
   * any number of equal calls one gets true.
   */
  async accept(message: string, about: string, timestamp: number, now: number): Promise<boolean> {
    const expiresAt = new Date(now + KEPT_MS);
    const hash = createHash('sha256').update(message).digest('hex');
    if (!(await wasWritten(() => this.#seen.insertOne({ _id: hash, expiresAt })))) return false;
    // Where a mark is newer, the filter misses it and the insert of a second one fails on its id.
    return wasWritten(() =>
      this.#marks.updateOne(
        { _id: about, timestamp: { $lt: timestamp } },
        { $set: { timestamp, expiresAt } },
        { upsert: true },
      ),
    );
  }
}

async function wasWritten(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}
