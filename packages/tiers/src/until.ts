import { setTimeout as delay } from 'node:timers/promises';

/** Ends a test that hangs: far more than anything takes on a slow and busy machine, and below a test's own limit. */
const HANGS_MS = 120_000;
const POLL_MS = 10;

/**
 * The first answer that is not null, undefined or false.
 *
 * @throws where none comes within two minutes.
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

/** Zombies count as gone: they have let go of everything. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
