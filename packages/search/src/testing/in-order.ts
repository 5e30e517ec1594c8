import type { Turns } from '../archive-index.ts';

/** A queue for tests: each question is answered at once, by the workers in turn. */
export function inOrder<Worker>(workers: readonly Worker[]): Turns<Worker, null> {
  let asked = 0;
  return {
    async ask(question) {
      const work = question(workers[asked++ % workers.length] as Worker);
      if (!('next' in work)) return work;
      for (;;) {
        const { done, value } = await work.next();
        if (done) return value;
      }
    },
  };
}
