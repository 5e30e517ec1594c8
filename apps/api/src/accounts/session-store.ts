import { randomUUID } from 'node:crypto';
import type { Collection, Db } from 'mongodb';
import { Batcher } from '../db/batcher.ts';
import { PROMPT } from '../db/database.ts';

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
    const found = await this.#sessions.find({ _id: { $in: ids } }, { batchSize: ids.length + 1, ...PROMPT }).toArray();
    const byId = new Map(found.map((session) => [session._id, session]));
    return ids.map((id) => byId.get(id));
  });

  constructor(db: Db) {
    this.#sessions = db.collection<SessionDocument>('sessions');
  }

  async begin(walletAddress: string, expiresAt: Date): Promise<string> {
    const id = randomUUID();
    await this.#sessions.insertOne({ _id: id, walletAddress, expiresAt });
    return id;
  }

  async isAlive(id: string, walletAddress: string, now: Date): Promise<boolean> {
    const session = await this.#byId.ask(id);
    return session !== undefined && session.walletAddress === walletAddress && session.expiresAt > now;
  }

  async end(id: string): Promise<void> {
    await this.#sessions.deleteOne({ _id: id });
  }
}
