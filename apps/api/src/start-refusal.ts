/**
 * Prevents a process from starting. The message is for the operator: one sentence a line, with the setting that fixes
 * it.
 */
export class StartRefusal extends Error {}
