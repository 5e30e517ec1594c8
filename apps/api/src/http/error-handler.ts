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

/** The driver's own errors of a server that cannot be reached or did not answer in time. */
const AWAY_ERRORS = [
  MongoNetworkError,
  MongoServerSelectionError,
  MongoNotConnectedError,
  MongoTopologyClosedError,
  MongoOperationTimeoutError,
];
/** Took longer than allowed, not confirmed by a majority in time; stepping down, shutting down, not or no longer primary. */
const AWAY_CODES: ReadonlySet<number> = new Set([50, 64, 91, 189, 10107, 11600, 11602, 13435, 13436]);

const BROKEN: ReadonlySet<string> = new Set(['EPIPE', 'ECONNRESET']);

interface BodyError extends Error {
  status: number;
}

type Teller = (error: AppError) => Written | null;
const tellers = new WeakMap<Response, Teller>();

/** How refusals of this request are told, where its caller reads no problem+json. */
export function tellRefusalsBy(response: Response, teller: Teller): void {
  tellers.set(response, teller);
}

/** The last handler: the only place that turns an error into an answer. Nothing internal leaves the server. */
export function errorHandler(log: Logger, onIdentityRefused: (network: string) => void = () => {}) {
  return (error: unknown, request: Request, response: Response, _next: NextFunction) => {
    // Nobody is left to be told.
    if (error instanceof CallerGone || response.destroyed) return void response.destroy();
    if (response.headersSent) {
      // A body already begun must break off, so that nobody takes it for whole.
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
  building: ['starting', 'The lists of the archive are being built. Please try again in a moment.'],
  overloaded: ['overloaded', 'The archive has more to do than it can right now. Please try again in a moment.'],
};

/** Whether somebody brought a proof of who they are that was none. */
function isOfIdentity({ code }: AppError, { headers }: Request): boolean {
  if (code === 'unauthorized') return headers.authorization !== undefined;
  return code === 'challenge_invalid' || code === 'signature_invalid';
}

/** What is answered with a code of its own; null for what nobody foresaw. */
export function toRefusal(error: unknown): AppError | null {
  if (error instanceof AppError) return error;
  // Never its cause: the error holds the address, however long.
  if (error instanceof URIError) return new AppError('invalid_request', 'The address is not valid.');
  if (isBodyError(error)) {
    // Never its cause: the parser's error holds the body.
    if (error.status === 413) return new AppError('payload_too_large', 'The request body is too large.');
    if (error.status === 415) return new AppError('unsupported_media_type', 'The body must be JSON in UTF-8.');
    return new AppError('invalid_json', 'The request body is not valid JSON.');
  }
  if (error instanceof IndexAwayError) {
    const [code, message] = AWAY[error.reason];
    return new AppError(code, message, { headers: { 'Retry-After': '2' }, cause: error });
  }
  if (isDatabaseAway(error)) {
    return new AppError('database_unavailable', 'The archive cannot be reached right now. Please try again.', {
      headers: { 'Retry-After': '2' },
      cause: error,
    });
  }
  return null;
}

/** Once each: what is ours to mend stands out, and what anybody can ask for at will does not flood the log. */
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

/** What the body parser throws: it knows its own statuses. What cannot be unpacked has nothing else of its errors. */
function isBodyError(error: unknown): error is BodyError {
  if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number') return false;
  return error.status >= 400 && error.status < 500;
}

function isDatabaseAway(error: unknown): boolean {
  // What the driver was writing or reading when the connection broke comes as the socket's own error.
  if (error instanceof Error && 'syscall' in error && BROKEN.has(String((error as NodeJS.ErrnoException).code)))
    return true;
  if (!(error instanceof MongoError)) return false;
  if (typeof error.code === 'number') return AWAY_CODES.has(error.code);
  // The pool's error, which the driver does not export.
  if (error.name === 'MongoWaitQueueTimeoutError') return true;
  return AWAY_ERRORS.some((type) => error instanceof type) || error.hasErrorLabel('RetryableWriteError');
}
