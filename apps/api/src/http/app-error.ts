import type { Credit, ErrorCode, FieldError } from '@archive/contracts';

/** A refusal with a stable code and the sentence a person may read. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly errors: FieldError[] | undefined;
  readonly headers: Record<string, string>;
  readonly credit: Credit | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { errors?: FieldError[]; headers?: Record<string, string>; credit?: Credit } = {},
  ) {
    super(message);
    this.code = code;
    this.errors = options.errors;
    this.headers = options.headers ?? {};
    this.credit = options.credit;
  }
}
