import { ApiError } from '@archive/client';

const LIMIT_MS = 15_000;

/** Resolves with the answer, or rejects after the time limit. The default limit is that of the API. */
export function withTimeout<Answer>(
  answer: Promise<Answer>,
  limitMs = LIMIT_MS,
  late: Error = new ApiError(0, 'The server did not answer in time.'),
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late), limitMs);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
