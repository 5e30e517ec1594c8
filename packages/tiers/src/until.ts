import { setTimeout as delay } from 'node:timers/promises';

/** Limit for a test that hangs: far above any wait on a slow and busy machine, and below a test's own limit. */
const HANGS_MS = 120_000;
const POLL_MS = 10;

/**
 * Polls until `ask` gives an answer that is not null, undefined or false.
 *
 * @throws Error if the condition does not hold within two minutes.
 */
export async function until<T>(ask: () => T | Promise<T>): Promise<Exclude<T, null | undefined | false>> {
  const deadline = Date.now() + HANGS_MS;
  for (;;) {
    const answer = await ask();
    if (answer !== null && answer !== undefined && answer !== false) {
      return answer as Exclude<T, null | undefined | false>;
    }
    if (Date.now() > deadline) throw new Error('waited in vain');
    await delay(POLL_MS);
  }
}

/** Whether a process runs. Zombies count as ended, because they have released everything. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
