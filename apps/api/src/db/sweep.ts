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
] as const;

/** Deletes what has expired. Nothing relies on it: every reader looks at the time itself. */
export async function sweep(db: Db, now: number): Promise<void> {
  for (const [collection, field] of EXPIRING)
    await db.collection(collection).deleteMany({ [field]: { $lt: new Date(now) } });
}

/** Sweeps now and then until stopped. */
export function sweepRegularly(db: Db, now: () => number, onError: (error: unknown) => void): () => void {
  const timer = setInterval(() => {
    sweep(db, now()).catch(onError);
  }, SWEEP_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
