import { randomUUID } from 'node:crypto';
import type { Collection, Db } from 'mongodb';
import { Batcher } from '../db/batcher.ts';
import { IN_BATCH } from '../db/database.ts';
import { fromNow, NOT_EXPIRED } from '../db/expiry.ts';

interface SessionDocument {
  /** The token's `jti`. */
  _id: string;
  walletAddress: string;
  expiresAt: Date;
}

/** Living sessions: a token without one is dead, whatever it says. */
export class SessionStore {
  readonly #sessions: Collection<SessionDocument>;
  readonly #byId = new Batcher(async (ids: string[]) => {
    const found = await this.#sessions
      .find({ _id: { $in: ids }, ...NOT_EXPIRED }, { batchSize: ids.length + 1, ...IN_BATCH })
      .toArray();
    const byId = new Map(found.map((session) => [session._id, session]));
    return ids.map((id) => byId.get(id));
  });

  constructor(db: Db) {
    this.#sessions = db.collection<SessionDocument>('sessions');
  }

  async begin(walletAddress: string, lifetimeMs: number): Promise<string> {
    const id = randomUUID();
    const fields = { walletAddress, expiresAt: fromNow(lifetimeMs) };
    await this.#sessions.updateOne({ _id: id }, [{ $set: fields }], { upsert: true });
    return id;
  }

  async isAlive(id: string, walletAddress: string): Promise<boolean> {
    const session = await this.#byId.ask(id);
    return session?.walletAddress === walletAddress;
  }

  /** Ends all of a wallet; every process asks here, so they are dead in each. */
  async endAll(walletAddress: string): Promise<void> {
    await this.#sessions.deleteMany({ walletAddress });
  }

  async end(id: string): Promise<void> {
    await this.#sessions.deleteOne({ _id: id });
  }
}
