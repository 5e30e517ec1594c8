import type { ErrorCode, FieldError } from '@archive/contracts';

interface Options {
  errors?: FieldError[];
  headers?: Record<string, string>;
  /** Further members of the problem document. */
  members?: Record<string, unknown>;
  /** The underlying error: for the log only, never for the answer. */
  cause?: unknown;
}

/** A refusal with a stable code and a sentence for people. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly errors: FieldError[] | undefined;
  readonly headers: Record<string, string>;
  readonly members: Record<string, unknown>;

  constructor(code: ErrorCode, message: string, { errors, headers = {}, members = {}, ...more }: Options = {}) {
    super(message, more);
    this.code = code;
    this.errors = errors;
    this.headers = headers;
    this.members = members;
  }
}

/** Work was aborted because its caller has left. */
export class CallerGone extends Error {}
