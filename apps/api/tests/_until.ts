import { setTimeout as delay } from 'node:timers/promises';

const TIMEOUT_MS = 20_000;
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
