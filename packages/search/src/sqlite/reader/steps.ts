/** A question under way: it stops where another may have a turn, and holds no transaction there. */
export type Steps<Answer> = Generator<void, Answer, void>;

/** All of it at once. */
export function runWhole<Answer>(steps: Steps<Answer>): Answer {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
