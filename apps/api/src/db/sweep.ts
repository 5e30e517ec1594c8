import type { Db } from 'mongodb';

const SWEEP_EVERY_MS = 60_000;

/** What expires, and the field that says when. */
const EXPIRING = [
  ['challenges', 'expiresAt'],
  ['sessions', 'expiresAt'],
  ['signed_messages', 'expiresAt'],
  ['signed_marks', 'expiresAt'],
  ['rate_limits', 'expire'],
  ['launch_counts', 'expiresAt'],
  ['pushes', 'expiresAt'],
] as const;

/** Deletes what has expired by the database's clock. Nothing relies on it: every reader looks at the time itself. */
export async function sweep(db: Db): Promise<void> {
  for (const [collection, field] of EXPIRING) {
    const isPast = { $expr: { $lt: [`$${field}`, '$$NOW'] } };
    await db.collection(collection).deleteMany({ [field]: { $type: 'date' }, ...isPast });
  }
}

/** Sweeps now and then. */
export class Sweeper {
  readonly #sweep: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(db: Db, log: { error(details: object, message: string): void }) {
    this.#sweep = () => void sweep(db).catch((error) => log.error({ err: error }, 'sweeping failed'));
  }

  start(): void {
    this.#timer = setInterval(this.#sweep, SWEEP_EVERY_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
