/** A question under way: it stops where another may have a turn, and holds no transaction there. */
export type Steps<Answer> = Generator<void, Answer, void>;
