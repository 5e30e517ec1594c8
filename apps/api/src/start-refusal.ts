/** Keeps a process from starting. Its message is for the operator: a sentence a line, with the setting that mends it. */
export class StartRefusal extends Error {}
