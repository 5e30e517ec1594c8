import type { Credit, ErrorCode, FieldError, Problem } from '@archive/contracts';

/** A call that did not answer as hoped; status 0 where there was no answer at all. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: ErrorCode | undefined;
  /** What became of a payment that could not be applied. */
  readonly credit: Credit | undefined;
  /** Which fields of the body it is about. */
  readonly errors: readonly FieldError[] | undefined;

  constructor(status: number, message: string, problem: Partial<Pick<Problem, 'code' | 'credit' | 'errors'>> = {}) {
    super(message);
    this.status = status;
    this.code = problem.code;
    this.credit = problem.credit;
    this.errors = problem.errors;
  }
}

/** No answer, or one that says the server is at fault; one that has too much to do is not. */
export function isServerDown(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || (error.status >= 500 && error.code !== 'overloaded'));
}
