import type { Steps } from '../sqlite/reader/steps.ts';

/** Runs all steps and returns the answer. */
export function runWhole<Answer>(steps: Steps<Answer>): Answer {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
