import { setTimeout as delay } from 'node:timers/promises';

const TIMEOUT_MS = 20_000;
const POLL_MS = 20;

/** The first answer of `ask` that is one; fails with its name when there is none within the time. */
export async function eventually<T>(what: string, ask: () => Promise<T | undefined | false> | T | undefined | false) {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (Date.now() > deadline) throw new Error(`waited in vain until ${what}`);
    await delay(POLL_MS);
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
