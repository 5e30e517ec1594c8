import { PUSH_HOURS, type PushMessage } from '@archive/contracts';
import type { Collection, Db } from 'mongodb';
import { isDuplicateKey } from '../db/database.ts';

/** A message to one browser. It remains for a while after it is sent, so that it is not sent again. */
export interface PushDocument {
  /** Browser and notice, so that each notice is sent once, however often it is found. */
  _id: string;
  browser: string;
  wallet: string;
  /** Key of the notice. */
  notice: string;
  message: PushMessage;
  /** When it may be sent; absent after it was sent or given up. */
  dueAt?: Date;
  tries: number;
  /** When it is no longer worth sending. */
  endsAt: Date;
  expiresAt: Date;
}

const HOUR_MS = 3_600_000;
/** An unread search is announced again after this time. */
const KEPT_MS = 7 * 24 * HOUR_MS;
/** Time in which a claimed message must be sent; after that any process may claim it. */
const CLAIM_MS = 60_000;
/** The measured database clock may go back by this much. */
const CLOCK_MS = 1_000;

export class PushStore {
  readonly #pushes: Collection<PushDocument>;

  constructor(db: Db) {
    this.#pushes = db.collection<PushDocument>('pushes');
  }

  /** Adds messages; existing ones stay unchanged. */
  async add(
    pushes: readonly Pick<PushDocument, 'browser' | 'wallet' | 'notice' | 'message'>[],
    at: Date,
  ): Promise<void> {
    if (pushes.length === 0) return;
    const endsAt = new Date(at.getTime() + PUSH_HOURS * HOUR_MS);
    const expiresAt = new Date(at.getTime() + KEPT_MS);
    const rows = pushes.map((push) => ({
      _id: `${push.browser} ${push.notice}`,
      ...push,
      dueAt: new Date(at.getTime() - CLOCK_MS),
      tries: 0,
      endsAt,
      expiresAt,
    }));
    try {
      await this.#pushes.insertMany(rows, { ordered: false });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }

  /** Ids of the messages that a wallet's browsers have received or will receive. */
  async toldTo(wallet: string): Promise<ReadonlySet<string>> {
    const rows = await this.#pushes.find({ wallet }, { projection: { _id: 1 } }).toArray();
    return new Set(rows.map(({ _id }) => _id));
  }

  /** Claims the next due message of any other wallet. Messages with the fewest attempts come first. */
  claim(at: Date, notOf: readonly string[]): Promise<PushDocument | null> {
    return this.#pushes.findOneAndUpdate(
      { dueAt: { $lte: at }, ...(notOf.length > 0 && { wallet: { $nin: [...notOf] } }) },
      { $set: { dueAt: new Date(at.getTime() + CLAIM_MS) }, $inc: { tries: 1 } },
      { sort: { tries: 1, dueAt: 1 }, returnDocument: 'after' },
    );
  }

  /** Marks a message as sent or given up. */
  async end(_id: string): Promise<void> {
    await this.#pushes.updateOne({ _id }, { $unset: { dueAt: '' } });
  }

  async putOff(_id: string, dueAt: Date): Promise<void> {
    await this.#pushes.updateOne({ _id }, { $set: { dueAt } });
  }

  /** Returns a claimed message that was not tried. */
  async leave(_id: string, dueAt: Date): Promise<void> {
    await this.#pushes.updateOne({ _id }, { $set: { dueAt }, $inc: { tries: -1 } });
  }

  async dropAll(wallet: string): Promise<void> {
    await this.#pushes.deleteMany({ wallet });
  }

  /** Deletes the messages to a browser that no longer belongs to the wallet. */
  async dropOf(browser: string, wallet: string): Promise<void> {
    await this.#pushes.deleteMany({ wallet, browser });
  }
}
