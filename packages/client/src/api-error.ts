import type { Credit, ErrorCode, FieldError, Problem } from '@archive/contracts';

/** A call that failed. `status` is 0 if there was no answer at all. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: ErrorCode | undefined;
  /** The credit for a payment that could not be applied. */
  readonly credit: Credit | undefined;
  /** The fields of the body that are invalid. */
  readonly errors: readonly FieldError[] | undefined;

  constructor(status: number, message: string, problem: Partial<Pick<Problem, 'code' | 'credit' | 'errors'>> = {}) {
    super(message);
    this.status = status;
    this.code = problem.code;
    this.credit = problem.credit;
    this.errors = problem.errors;
  }
}

/** Whether the server did not answer or had an internal error; an overloaded server does not count. */
export function isServerDown(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || (error.status >= 500 && error.code !== 'overloaded'));
}
