import type { Db } from 'mongodb';

const SWEEP_EVERY_MS = 60_000;

/** What expires, and the field that says when. */
export const EXPIRING = [
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
  await forgetNetworks(db);
}

/** From which network a request to save came is of use for its day's limit alone. */
const NETWORK_KEPT_MS = 2 * 86_400_000;

async function forgetNetworks(db: Db): Promise<void> {
  const isPast = { $lt: ['$createdAt', { $subtract: ['$$NOW', NETWORK_KEPT_MS] }] };
  await db.collection('saves').updateMany({ network: { $exists: true }, $expr: isPast }, { $unset: { network: '' } });
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
