/** A question in progress. It yields where another question may run, and holds no transaction there. */
export type Steps<Answer> = Generator<void, Answer, void>;
