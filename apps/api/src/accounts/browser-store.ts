import { createHash } from 'node:crypto';
import { PUSH_BROWSERS } from '@archive/contracts';
import type { Collection, Db } from 'mongodb';
import { isDuplicateKey } from '../db/database.ts';

/** A browser that receives push notices. */
export interface BrowserDocument {
  /** SHA-256 of the endpoint, so that a browser has one wallet at a time. */
  _id: string;
  wallet: string;
  /**
   * The session of the last subscription. Signing out of it ends the subscription; the expiry of the session does not.
   */
  session: string;
  endpoint: string;
  /** The browser's public key and the shared secret, in base64url. */
  p256dh: string;
  auth: string;
  /** Our public key at the time of the subscription. */
  key: string;
  /** Earlier events are not pushed to this browser. */
  since: Date;
  /** When the wallet's notices were last checked for this browser. */
  lookedAt: Date;
  /** Failed messages in a row. */
  failures: number;
  /** Whether the endpoint has accepted the last message. */
  isProven?: boolean;
  /** Nothing is sent before this time, because the endpoint did not answer or asked for a pause. */
  awayUntil?: Date;
}

/** A browser is deleted after this many failed messages in a row. */
const FAILURES = 10;

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

  /**
   * Stores a browser and returns its id; null if the wallet has the most browsers allowed. Of several simultaneous
   * calls, fewer may succeed than allowed.
   */
  async keep(browser: Omit<BrowserDocument, '_id' | 'lookedAt' | 'failures'>): Promise<string | null> {
    const { wallet, endpoint, since, ...rest } = browser;
    const _id = createHash('sha256').update(endpoint).digest('hex');
    const fresh = { lookedAt: new Date(0), failures: 0 };
    const { matchedCount } = await this.#browsers.updateOne({ _id, wallet }, { $set: { ...rest, ...fresh } });
    if (matchedCount > 0) return _id;
    // A subscription under a former key of ours can receive nothing.
    await this.#browsers.deleteMany({ wallet, key: { $ne: rest.key } });
    const count = () => this.#browsers.countDocuments({ wallet }, { limit: PUSH_BROWSERS + 1 });
    if ((await count()) >= PUSH_BROWSERS) return null;
    try {
      await this.#browsers.replaceOne({ _id }, { wallet, endpoint, since, ...rest, ...fresh }, { upsert: true });
    } catch (error) {
      // A simultaneous call has stored the browser.
      if (!isDuplicateKey(error)) throw error;
    }
    if ((await count()) <= PUSH_BROWSERS) return _id;
    await this.#browsers.deleteOne({ _id, wallet });
    return null;
  }

  /** Wallets of the browsers with this key that were checked longest ago. */
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

  /** Records the outcome of a message. Deletes a browser after too many failures. */
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
