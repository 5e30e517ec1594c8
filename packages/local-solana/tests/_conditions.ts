import { setTimeout as delay } from 'node:timers/promises';

/** Waits until a condition holds, and fails with its name when it does not within the time. */
export async function until(what: string, condition: () => boolean | Promise<boolean>, timeoutMs = 10_000) {
  const deadline = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`waited in vain until ${what}`);
    await delay(10);
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
