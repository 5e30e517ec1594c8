/** What was begun and nobody went on with is forgotten after so long: it began in another archive. */
export const KEPT_WORK_MS = 10_000;
