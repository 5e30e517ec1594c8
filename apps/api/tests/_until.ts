import { setTimeout as delay } from 'node:timers/promises';

/** Far more than anything takes, on the slowest machine too; below a test's own limit. */
const TIMEOUT_MS = 45_000;
const POLL_MS = 25;

/** The first answer that is not null; fails where none comes in time. */
export async function until<T>(ask: () => Promise<T | null>): Promise<T> {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    const answer = await ask();
    if (answer !== null) return answer;
    if (Date.now() > deadline) throw new Error('waited in vain');
    await delay(POLL_MS);
  }
}
