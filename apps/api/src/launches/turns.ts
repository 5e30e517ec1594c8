import { inTime } from '../rounds/in-time.ts';

/** Longer than any work takes that ends at all; nothing relies on the order. */
const WAIT_MS = 60_000;

/**
 * Lets work on one subject be done one after another within this process. Where many come for the same thing at once, the
 * first does the work and the others find it done.
 */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();
  readonly #waitMs: number;

  constructor({ waitMs = WAIT_MS }: { waitMs?: number } = {}) {
    this.#waitMs = waitMs;
  }

  take<T>(subject: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(subject);
    const turn = before
      ? inTime(before, this.#waitMs, () => new Error('the turn before did not end'))
      : Promise.resolve();
    const mine = turn.then(work, work);
    this.#last.set(subject, mine);
    const end = () => {
      if (this.#last.get(subject) === mine) this.#last.delete(subject);
    };
    mine.then(end, end);
    return mine;
  }
}
