/**
 * Lets work on one subject be done one after another within this process. Where many come for the same thing at once, the
 * first does the work and the others find it done.
 */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  take<T>(subject: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(subject) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.#last.set(subject, mine);
    const end = () => {
      if (this.#last.get(subject) === mine) this.#last.delete(subject);
    };
    mine.then(end, end);
    return mine;
  }
}
