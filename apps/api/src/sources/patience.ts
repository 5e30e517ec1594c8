import { SourceTrouble } from './source.ts';

const FIRST_WAIT_MS = 10_000;
const LONGEST_WAIT_MS = 15 * 60_000;
/** What a platform asks for beyond that is taken for a mistake. */
const LONGEST_ASKED_MS = 24 * 3_600_000;

/** Leaves a platform alone after trouble: until it wants to be asked again, else longer each time. */
export class Patience {
  readonly #now: () => number;
  #troubles = 0;
  #until = 0;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Until when nothing is to be asked; null where that is now. */
  get waitsUntil(): Date | null {
    return this.#now() < this.#until ? new Date(this.#until) : null;
  }

  /** Does the work; a `SourceTrouble` of it lengthens the wait, and work that is done ends it. */
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
