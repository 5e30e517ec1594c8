import { type Credit, ERROR_STATUS, type ErrorCode, type FieldError, type Problem } from '@archive/contracts';
import type { Response } from 'express';

const TITLES: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  410: 'Gone',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/** Answers with `application/problem+json` (RFC 9457). */
export function sendProblem(
  response: Response,
  code: ErrorCode,
  message: string,
  more: { errors?: FieldError[] | undefined; credit?: Credit | undefined } = {},
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
    ...(more.credit ? { credit: more.credit } : {}),
  };
  response.status(status);
  response.setHeader('Content-Type', 'application/problem+json; charset=utf-8');
  response.setHeader('Cache-Control', 'no-store');
  response.end(JSON.stringify(problem));
}
