import { randomUUID } from 'node:crypto';
import type { Collection, Db } from 'mongodb';

interface SessionDocument {
  /** The token's `jti`. */
  _id: string;
  walletAddress: string;
  expiresAt: Date;
}

/** Living sessions: a token without one is dead, whatever it says. */
export class SessionStore {
  readonly #sessions: Collection<SessionDocument>;

  constructor(db: Db) {
    this.#sessions = db.collection<SessionDocument>('sessions');
  }

  async begin(walletAddress: string, expiresAt: Date): Promise<string> {
    const id = randomUUID();
    await this.#sessions.insertOne({ _id: id, walletAddress, expiresAt });
    return id;
  }

  async isAlive(id: string, walletAddress: string, now: Date): Promise<boolean> {
    const found = await this.#sessions.findOne(
      { _id: id, walletAddress, expiresAt: { $gt: now } },
      { projection: { _id: 1 } },
    );
    return found !== null;
  }

  async end(id: string): Promise<void> {
    await this.#sessions.deleteOne({ _id: id });
  }
}
