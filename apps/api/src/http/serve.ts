import type { Endpoint } from '@archive/contracts';
import type { Request, RequestHandler, Response, Router } from 'express';
import type { z } from 'zod';
import { AppError } from './app-error.ts';
import type { ResponseCache } from './response-cache.ts';

/** Registers one handler under an endpoint's path and its legacy ones. */
export function mount(router: Router, endpoint: Endpoint, ...handlers: RequestHandler[]): void {
  const method = endpoint.method.toLowerCase() as 'get' | 'post' | 'put' | 'delete';
  for (const path of [endpoint.path, ...(endpoint.legacy ?? [])]) router[method](path, ...handlers);
}

/** Refuses parameter names with brackets, which other servers take for operators. */
export const refuseBrackets: RequestHandler = (request, _response, next) => {
  const name = Object.keys(request.query)
    .find((one) => /[[\]]/.test(one))
    ?.slice(0, 100);
  if (name === undefined) return next();
  throw new AppError('invalid_request', `The parameter name ${JSON.stringify(name)} is not allowed.`, {
    errors: [{ path: name, message: 'must not hold brackets' }],
  });
};

/** The request's query by a schema; unknown names are ignored. */
export function parseQuery<T extends z.ZodType>(schema: T, request: Request): z.output<T> {
  return parse(schema, request.query, 'parameter');
}

export function parseBody<T extends z.ZodType>(schema: T, body: unknown): z.output<T> {
  return parse(schema, body, 'field');
}

export function parseParams<T extends z.ZodType>(schema: T, request: Request): z.output<T> {
  return parse(schema, request.params, 'parameter');
}

/** Any input by a schema, or a 400 that names every wrong field. */
export function parse<T extends z.ZodType>(schema: T, input: unknown, noun: 'parameter' | 'field'): z.output<T> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const errors = result.error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message }));
  const first = errors[0];
  const detail = first ? `The ${noun} ${first.path || 'body'} ${first.message}.` : 'The request is not valid.';
  throw new AppError('invalid_request', detail, { errors });
}

/** A reader whose answers are kept as ready bytes, with an ETag, until the archive changes. */
export function serveCached(
  responses: ResponseCache,
  make: (request: Request) => () => Promise<unknown>,
): RequestHandler {
  return async (request, response) => {
    // Parsed first: a wrong question is refused before it reaches the cache.
    const answer = make(request);
    const entry = await responses.answer(request.originalUrl, answer);
    await sendEntry(responses, request, response, entry);
  };
}

/** Answers from the cache alone where it can, ahead of everything that costs time. */
export function serveFromCache(responses: ResponseCache): RequestHandler {
  return (request, response, next) => {
    const entry = request.method === 'GET' ? responses.get(request.url) : undefined;
    if (!entry) return next();
    return sendEntry(responses, request, response, entry);
  };
}

async function sendEntry(
  responses: ResponseCache,
  request: Request,
  response: Response,
  entry: Awaited<ReturnType<ResponseCache['answer']>>,
): Promise<void> {
  response.setHeader('ETag', entry.etag);
  response.setHeader('Cache-Control', 'no-cache');
  response.setHeader('Vary', 'Accept-Encoding, Origin');
  if (matchesEtag(request.headers['if-none-match'], entry.etag)) {
    response.statusCode = 304;
    response.end();
    return;
  }
  const wanted = wantedEncoding(request.headers['accept-encoding']);
  const { body, encoding } =
    wanted === 'identity' ? { body: entry.bodies.identity, encoding: wanted } : await responses.encode(entry, wanted);
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
  response.setHeader('Content-Length', body.length);
  response.end(request.method === 'HEAD' ? undefined : body);
}

function matchesEtag(header: string | undefined, etag: string): boolean {
  if (!header) return false;
  const plain = etag.replace(/^W\//, '');
  return header === '*' || header.split(',').some((one) => one.trim().replace(/^W\//, '') === plain);
}

function wantedEncoding(header: string | string[] | undefined): 'br' | 'gzip' | 'identity' {
  if (!header) return 'identity';
  const text = String(header);
  if (/\bbr\b(?!\s*;\s*q=0(\.0*)?\b)/.test(text)) return 'br';
  return /\bgzip\b(?!\s*;\s*q=0(\.0*)?\b)/.test(text) ? 'gzip' : 'identity';
}
