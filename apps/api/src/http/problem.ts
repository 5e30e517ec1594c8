import { STATUS_CODES } from 'node:http';
import { ERROR_STATUS, type ErrorCode, type FieldError, type Problem } from '@archive/contracts';
import type { Response } from 'express';

/** Node still uses the older name of 422. */
const TITLES: Record<number, string | undefined> = { ...STATUS_CODES, 422: 'Unprocessable Content' };

/** Answers with `application/problem+json` (RFC 9457). */
export function sendProblem(
  response: Response,
  code: ErrorCode,
  message: string,
  more: { errors?: FieldError[] | undefined; members?: Record<string, unknown> } = {},
): void {
  const status = ERROR_STATUS[code];
  const problem: Problem = {
    type: 'about:blank',
    title: TITLES[status] ?? 'Error',
    status,
    detail: message,
    message,
    code,
    requestId: String(response.getHeader('X-Request-Id') ?? ''),
    ...(more.errors ? { errors: more.errors } : {}),
    ...more.members,
  };
  response.status(status);
  response.setHeader('Content-Type', 'application/problem+json; charset=utf-8');
  response.setHeader('Cache-Control', 'no-store');
  response.end(JSON.stringify(problem));
}
