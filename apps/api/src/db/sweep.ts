import type { Db } from 'mongodb';

const SWEEP_EVERY_MS = 60_000;

/** Collections whose documents expire, and the field with the expiry. */
export const EXPIRING = [
  ['challenges', 'expiresAt'],
  ['sessions', 'expiresAt'],
  ['signed_messages', 'expiresAt'],
  ['signed_marks', 'expiresAt'],
  ['rate_limits', 'expire'],
  ['launch_counts', 'expiresAt'],
  ['pushes', 'expiresAt'],
] as const;

/** Deletes expired documents by the database's clock. Readers check the expiry themselves and do not depend on this. */
export async function sweep(db: Db): Promise<void> {
  for (const [collection, field] of EXPIRING) {
    const isPast = { $expr: { $lt: [`$${field}`, '$$NOW'] } };
    await db.collection(collection).deleteMany({ [field]: { $type: 'date' }, ...isPast });
  }
  await forgetNetworks(db);
}

/** Milliseconds. The network of a request is needed only for the limit of its day. */
const NETWORK_KEPT_MS = 2 * 86_400_000;

async function forgetNetworks(db: Db): Promise<void> {
  const isPast = { $lt: ['$createdAt', { $subtract: ['$$NOW', NETWORK_KEPT_MS] }] };
  await db.collection('saves').updateMany({ network: { $exists: true }, $expr: isPast }, { $unset: { network: '' } });
}

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
