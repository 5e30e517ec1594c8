import { randomUUID } from 'node:crypto';
import type { Collection, Db } from 'mongodb';
import { Batcher } from '../db/batcher.ts';
import { type DatabaseClock, PROMPT } from '../db/database.ts';
import { fromNow } from '../db/expiry.ts';

interface SessionDocument {
  /** The token's `jti`. */
  _id: string;
  walletAddress: string;
  /** Absent in sessions of earlier versions. */
  createdAt?: Date;
  expiresAt: Date;
}

/** Valid sessions. A token without a session here is refused, whatever its claims say. */
export class SessionStore {
  readonly #sessions: Collection<SessionDocument>;
  readonly #byId = new Batcher(async (ids: string[]) => {
    const found = await this.#sessions.find({ _id: { $in: ids } }, { batchSize: ids.length + 1, ...PROMPT }).toArray();
    const byId = new Map(found.map((session) => [session._id, session]));
    return ids.map((id) => byId.get(id));
  });

  readonly #clock: Pick<DatabaseClock, 'now'>;

  constructor(db: Db, clock: Pick<DatabaseClock, 'now'>) {
    this.#clock = clock;
    this.#sessions = db.collection<SessionDocument>('sessions');
  }

  async begin(walletAddress: string, lifetimeMs: number): Promise<string> {
    const id = randomUUID();
    const fields = { walletAddress, createdAt: '$$NOW', expiresAt: fromNow(lifetimeMs) };
    await this.#sessions.updateOne({ _id: id }, [{ $set: fields }], { upsert: true });
    return id;
  }

  /** The valid session with this id and wallet, or null. */
  async find(id: string, walletAddress: string): Promise<SessionDocument | null> {
    const session = await this.#byId.ask(id);
    // Compared with the last measured database time, which is exact enough. Asking the database would make each call a
    // tenth slower.
    const isAlive = session?.walletAddress === walletAddress && session.expiresAt > this.#clock.now();
    return isAlive ? session : null;
  }

  /** Ends all sessions of a wallet, in all processes. */
  async endAll(walletAddress: string): Promise<void> {
    await this.#sessions.deleteMany({ walletAddress });
  }

  /** The end times of a wallet's valid sessions. */
  async endsOf(walletAddress: string): Promise<Date[]> {
    const alive = this.#sessions.find({ walletAddress, expiresAt: { $gt: this.#clock.now() } });
    return (await alive.toArray()).map(({ expiresAt }) => expiresAt);
  }

  async end(id: string): Promise<void> {
    await this.#sessions.deleteOne({ _id: id });
  }
}
