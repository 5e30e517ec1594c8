import { ApiError } from './api.ts';

const LIMIT_MS = 15_000;

/** An answer of our server, or an error once it has taken too long. */
export function withinTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new ApiError(0, 'The server did not answer in time.'));
    const timer = setTimeout(late, LIMIT_MS);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
