import { createHash } from 'node:crypto';
import { PUSH_BROWSERS } from '@archive/contracts';
import type { Collection, Db } from 'mongodb';
import { isDuplicateKey } from '../db/database.ts';

/** A browser that notices are pushed to. */
export interface BrowserDocument {
  /** SHA-256 of its endpoint: a browser has one wallet at a time. */
  _id: string;
  wallet: string;
  /** In which it was asked for last; who signs out of it ends it. That a session runs out does not. */
  session: string;
  endpoint: string;
  /** The browser's public key and the secret it shares with us, in base64url. */
  p256dh: string;
  auth: string;
  /** Ours, with which it subscribed. */
  key: string;
  /** What came to pass before is not pushed to it. */
  since: Date;
  /** When it was last looked for what its wallet is told. */
  lookedAt: Date;
  /** Messages in a row that were not taken. */
  failures: number;
  /** It took the last message that was sent to it. */
  isProven?: boolean;
  /** Until then nothing is sent to it, since its endpoint did not answer or asked for a pause. */
  awayUntil?: Date;
}

/** After so many messages in a row that its endpoint did not take, a browser is forgotten. */
const FAILURES = 10;

/** The browsers of wallets. */
export class BrowserStore {
  readonly #browsers: Collection<BrowserDocument>;

  constructor(db: Db) {
    this.#browsers = db.collection<BrowserDocument>('browsers');
  }

  find(_id: string): Promise<BrowserDocument | null> {
    return this.#browsers.findOne({ _id });
  }

  of(wallet: string): Promise<BrowserDocument[]> {
    return this.#browsers.find({ wallet }).sort({ since: 1 }).limit(PUSH_BROWSERS).toArray();
  }

  /** Its id; null where the wallet has as many as it may. Of many at once rather too few are kept. */
  async keep(browser: Omit<BrowserDocument, '_id' | 'lookedAt' | 'failures'>): Promise<string | null> {
    const { wallet, endpoint, since, ...rest } = browser;
    const _id = createHash('sha256').update(endpoint).digest('hex');
    const fresh = { lookedAt: new Date(0), failures: 0 };
    const { matchedCount } = await this.#browsers.updateOne({ _id, wallet }, { $set: { ...rest, ...fresh } });
    if (matchedCount > 0) return _id;
    // What subscribed under another key of ours gets nothing any more.
    await this.#browsers.deleteMany({ wallet, key: { $ne: rest.key } });
    const count = () => this.#browsers.countDocuments({ wallet }, { limit: PUSH_BROWSERS + 1 });
    if ((await count()) >= PUSH_BROWSERS) return null;
    try {
      await this.#browsers.replaceOne({ _id }, { wallet, endpoint, since, ...rest, ...fresh }, { upsert: true });
    } catch (error) {
      // Two at once: the other has kept it.
      if (!isDuplicateKey(error)) throw error;
    }
    if ((await count()) <= PUSH_BROWSERS) return _id;
    await this.#browsers.deleteOne({ _id, wallet });
    return null;
  }

  /** Those with this key of ours that were not looked after for longest. */
  async lookNext(key: string, limit: number): Promise<string[]> {
    const rows = this.#browsers
      .find({ key }, { projection: { wallet: 1 } })
      .sort({ lookedAt: 1 })
      .limit(limit);
    return [...new Set((await rows.toArray()).map(({ wallet }) => wallet))];
  }

  async markLooked(wallet: string, at: Date): Promise<void> {
    await this.#browsers.updateMany({ wallet }, { $set: { lookedAt: at } });
  }

  /** A message was taken, or was not: a browser that takes none for long is forgotten. */
  async count(_id: string, isTaken: boolean, awayUntil?: Date): Promise<void> {
    if (isTaken) {
      const taken = { $set: { failures: 0, isProven: true }, $unset: { awayUntil: '' } } as const;
      await this.#browsers.updateOne({ _id, $nor: [{ failures: 0, isProven: true }] }, taken);
    } else {
      await this.#browsers.updateOne(
        { _id },
        { $inc: { failures: 1 }, $set: { isProven: false, ...(awayUntil && { awayUntil }) } },
      );
      await this.#browsers.deleteOne({ _id, failures: { $gte: FAILURES } });
    }
  }

  async drop(_id: string, wallet: string): Promise<void> {
    await this.#browsers.deleteOne({ _id, wallet });
  }

  async dropOf(wallet: string): Promise<void> {
    await this.#browsers.deleteMany({ wallet });
  }

  async dropOfSession(session: string): Promise<void> {
    await this.#browsers.deleteMany({ session });
  }
}
