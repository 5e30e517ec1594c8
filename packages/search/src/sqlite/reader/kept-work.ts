/**
 * Work that began more milliseconds ago begins again: it belongs to a question that was given up. At least as long as the queue
 * lets a question take (`LONGEST_WORK_MS` in the API's `question-queue.ts`).
 */
export const KEPT_WORK_MS = 10_000;
