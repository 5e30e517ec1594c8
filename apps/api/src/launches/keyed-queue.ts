import { withTimeout } from '../with-timeout.ts';

/**
 * Longer than any work that ends at all. After this time the next work starts anyway; correctness does not depend on
 * the order.
 */
const WAIT_MS = 60_000;

/**
 * Runs work on the same subject in sequence within this process. If many calls come at once, the first does the work
 * and the others find the result.
 */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<unknown>>();
  readonly #waitMs: number;

  constructor({ waitMs = WAIT_MS }: { waitMs?: number } = {}) {
    this.#waitMs = waitMs;
  }

  run<T>(subject: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(subject);
    const ready = before
      ? withTimeout(before, this.#waitMs, () => new Error('the work before did not end'))
      : Promise.resolve();
    const mine = ready.then(work, work);
    this.#last.set(subject, mine);
    const end = () => {
      if (this.#last.get(subject) === mine) this.#last.delete(subject);
    };
    mine.then(end, end);
    return mine;
  }
}
