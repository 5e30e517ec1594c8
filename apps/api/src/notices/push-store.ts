import { PUSH_HOURS, type PushMessage } from '@archive/contracts';
import type { Collection, Db } from 'mongodb';
import { isDuplicateKey } from '../db/database.ts';

/** A message to one browser. It stays for a while when it has been sent, so that it is not sent again. */
export interface PushDocument {
  /** The browser and what is told: sent once, however often it is found. */
  _id: string;
  browser: string;
  wallet: string;
  /** What is told. */
  notice: string;
  message: PushMessage;
  /** When it may be sent; absent once it has been, or is given up. */
  dueAt?: Date;
  tries: number;
  /** Until when it is worth sending. */
  endsAt: Date;
  expiresAt: Date;
}

const HOUR_MS = 3_600_000;
/** A search that nobody looks at is told of again after so long. */
const KEPT_MS = 7 * 24 * HOUR_MS;
/** Whoever claims a message has so long to send it; then it is anybody's. */
const CLAIM_MS = 60_000;
/** Our measure of the database's clock may go back by so much. */
const CLOCK_MS = 1_000;

export class PushStore {
  readonly #pushes: Collection<PushDocument>;

  constructor(db: Db) {
    this.#pushes = db.collection<PushDocument>('pushes');
  }

  /** Those that are there already stay as they are. */
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

  /** What a wallet's browsers have been told, or are about to be: ids. */
  async toldTo(wallet: string): Promise<ReadonlySet<string>> {
    const rows = await this.#pushes.find({ wallet }, { projection: { _id: 1 } }).toArray();
    return new Set(rows.map(({ _id }) => _id));
  }

  /**
   * The next to be sent that is none of these wallets', for this caller alone for a while; what has been tried least goes
   * first.
   */
  claim(at: Date, notOf: readonly string[]): Promise<PushDocument | null> {
    return this.#pushes.findOneAndUpdate(
      { dueAt: { $lte: at }, ...(notOf.length > 0 && { wallet: { $nin: [...notOf] } }) },
      { $set: { dueAt: new Date(at.getTime() + CLAIM_MS) }, $inc: { tries: 1 } },
      { sort: { tries: 1, dueAt: 1 }, returnDocument: 'after' },
    );
  }

  /** Sent, or given up. */
  async end(_id: string): Promise<void> {
    await this.#pushes.updateOne({ _id }, { $unset: { dueAt: '' } });
  }

  async putOff(_id: string, dueAt: Date): Promise<void> {
    await this.#pushes.updateOne({ _id }, { $set: { dueAt } });
  }

  /** It was claimed and not tried. */
  async leave(_id: string, dueAt: Date): Promise<void> {
    await this.#pushes.updateOne({ _id }, { $set: { dueAt }, $inc: { tries: -1 } });
  }

  async dropAll(wallet: string): Promise<void> {
    await this.#pushes.deleteMany({ wallet });
  }

  /** Of a browser that is not the wallet's any more. */
  async dropOf(browser: string, wallet: string): Promise<void> {
    await this.#pushes.deleteMany({ wallet, browser });
  }
}
