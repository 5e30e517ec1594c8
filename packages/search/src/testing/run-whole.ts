import type { Steps } from '../sqlite/reader/steps.ts';

/** All of it at once. */
export function runWhole<Answer>(steps: Steps<Answer>): Answer {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
