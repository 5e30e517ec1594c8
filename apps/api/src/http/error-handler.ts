import { ERROR_STATUS, type ErrorCode } from '@archive/contracts';
import { IndexAwayError } from '@archive/search';
import type { NextFunction, Request, Response } from 'express';
import {
  MongoError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoOperationTimeoutError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
} from 'mongodb';
import type { Logger } from 'pino';
import { AppError, CallerGone } from '../app-error.ts';
import { tell } from '../channels.ts';
import { clientOf } from '../clients.ts';
import { isRead, loggedPath } from './logged-path.ts';
import { sendProblem } from './problem.ts';
import { sendWritten, type Written } from './written.ts';

/** Errors of the driver if the server cannot be reached or does not answer in time. */
const AWAY_ERRORS = [
  MongoNetworkError,
  MongoServerSelectionError,
  MongoNotConnectedError,
  MongoTopologyClosedError,
  MongoOperationTimeoutError,
];
/** Codes for: time limit exceeded, no write concern in time, stepping down, shutting down, not or no longer primary. */
const AWAY_CODES: ReadonlySet<number> = new Set([50, 64, 91, 189, 10107, 11600, 11602, 13435, 13436]);

const BROKEN: ReadonlySet<string> = new Set(['EPIPE', 'ECONNRESET']);

interface BodyError extends Error {
  status: number;
}

type Teller = (error: AppError) => Written | null;
const tellers = new WeakMap<Response, Teller>();

/** Sets how refusals of this request are written if its caller does not read problem+json. */
export function tellRefusalsBy(response: Response, teller: Teller): void {
  tellers.set(response, teller);
}

/** The last handler, and the only place that turns an error into an answer. It never sends internal details. */
export function errorHandler(log: Logger, onIdentityRefused: (network: string) => void = () => {}) {
  return (error: unknown, request: Request, response: Response, _next: NextFunction) => {
    // The caller has left.
    if (error instanceof CallerGone || response.destroyed) return void response.destroy();
    if (response.headersSent) {
      // The body has begun. Closing the connection keeps the client from taking it for complete.
      log.error({ err: error, requestId: response.getHeader('X-Request-Id') }, 'an answer broke off');
      response.destroy();
      return;
    }
    const refusal = toRefusal(error);
    tell('refusal', { code: refusal?.code ?? 'internal_error' });
    if (refusal) {
      logRefusal(log, refusal, request, response);
      if (isOfIdentity(refusal, request)) onIdentityRefused(clientOf(request.ip).network);
      for (const [name, value] of Object.entries(refusal.headers)) response.setHeader(name, value);
      const told = tellers.get(response)?.(refusal);
      if (told) {
        response.setHeader('Cache-Control', 'no-store');
        return sendWritten(response, told);
      }
      sendProblem(response, refusal.code, refusal.message, refusal);
      return;
    }
    log.error(
      { err: error, requestId: response.getHeader('X-Request-Id'), method: request.method, path: loggedPath(request) },
      'a request failed',
    );
    sendProblem(response, 'internal_error', 'Something went wrong on our side.');
  };
}

const AWAY: Record<IndexAwayError['reason'], [code: ErrorCode, message: string]> = {
  away: ['search_unavailable', 'Lists and searches cannot be answered right now; single posts can. Please try again.'],
  disk: ['search_unavailable', 'Lists and searches cannot be answered right now; single posts can. Please try again.'],
  building: ['starting', 'The archive is preparing its lists. Please try again in a moment.'],
  overloaded: ['overloaded', 'The archive has more to do than it can right now. Please try again in a moment.'],
};

/** Whether the caller sent an invalid proof of identity. */
function isOfIdentity({ code }: AppError, { headers }: Request): boolean {
  if (code === 'unauthorized') return headers.authorization !== undefined;
  return code === 'challenge_invalid' || code === 'signature_invalid';
}

/** The refusal of a list. Without `cause` its log line is short. */
export function refusalOfAway(reason: IndexAwayError['reason'], cause?: IndexAwayError): AppError {
  const [code, message] = AWAY[reason];
  return new AppError(code, message, { headers: { 'Retry-After': '2' }, cause });
}

/** The refusal for an error that has its own code; null for an unexpected error. */
export function toRefusal(error: unknown): AppError | null {
  if (error instanceof AppError) return error;
  // Without its cause, since the error contains the address, which may be long.
  if (error instanceof URIError) return new AppError('invalid_request', 'The address is not valid.');
  if (isBodyError(error)) {
    // Without its cause, since the parser's error contains the body.
    if (error.status === 413) return new AppError('payload_too_large', 'The request body is too large.');
    if (error.status === 415) return new AppError('unsupported_media_type', 'The body must be JSON in UTF-8.');
    return new AppError('invalid_json', 'The request body is not valid JSON.');
  }
  if (error instanceof IndexAwayError) {
    return refusalOfAway(error.reason, error);
  }
  if (isDatabaseAway(error)) {
    return new AppError('database_unavailable', 'The archive cannot be reached right now. Please try again.', {
      headers: { 'Retry-After': '2' },
      cause: error,
    });
  }
  return null;
}

/** Logs each refusal once. Our own failures get a high level; refusals that any caller can provoke get a low one. */
function logRefusal(log: Logger, { code, message, cause }: AppError, request: Request, response: Response): void {
  const isOurs = ERROR_STATUS[code] >= 500 && code !== 'starting' && code !== 'overloaded';
  const level = isOurs ? (cause ? 'error' : 'warn') : isRead(request) ? 'debug' : 'info';
  log[level](
    {
      requestId: response.getHeader('X-Request-Id'),
      code,
      reason: message,
      err: cause,
      method: request.method,
      path: loggedPath(request),
    },
    'refused',
  );
}

/** Matches errors of the body parser, which carry a status. An error of decompression has only that. */
function isBodyError(error: unknown): error is BodyError {
  if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number') return false;
  return error.status >= 400 && error.status < 500;
}

function isDatabaseAway(error: unknown): boolean {
  // If the connection breaks during a read or write, the driver throws the socket's own error.
  if (error instanceof Error && 'syscall' in error && BROKEN.has(String((error as NodeJS.ErrnoException).code)))
    return true;
  if (!(error instanceof MongoError)) return false;
  if (typeof error.code === 'number') return AWAY_CODES.has(error.code);
  // The error of the connection pool, which the driver does not export.
  if (error.name === 'MongoWaitQueueTimeoutError') return true;
  return AWAY_ERRORS.some((type) => error instanceof type) || error.hasErrorLabel('RetryableWriteError');
}
