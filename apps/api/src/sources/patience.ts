import { SourceTrouble } from './source.ts';

const FIRST_WAIT_MS = 10_000;
const LONGEST_WAIT_MS = 15 * 60_000;
/** A platform that asks for a longer wait is assumed to be wrong. */
const LONGEST_ASKED_MS = 24 * 3_600_000;

/**
 * Pauses calls to a platform after trouble: until the time that the platform asks for, else longer after each failure.
 */
export class Patience {
  readonly #now: () => number;
  #troubles = 0;
  #until = 0;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** End of the pause; null if calls are allowed now. */
  get waitsUntil(): Date | null {
    return this.#now() < this.#until ? new Date(this.#until) : null;
  }

  /** Runs `work`. A `SourceTrouble` lengthens the pause; a success ends it. */
  async watch<T>(work: () => Promise<T>): Promise<T> {
    try {
      const done = await work();
      this.#troubles = 0;
      return done;
    } catch (error) {
      if (error instanceof SourceTrouble) this.#waitAfter(error);
      throw error;
    }
  }

  #waitAfter({ until }: SourceTrouble): void {
    const now = this.#now();
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(this.#troubles, 20));
    this.#troubles++;
    const asked = until && until.getTime() > now ? Math.min(until.getTime(), now + LONGEST_ASKED_MS) : null;
    this.#until = asked ?? now + wait / 2 + Math.random() * (wait / 2);
  }
}
