import type { Request, RequestHandler, Response } from 'express';
import type { Entry, ResponseCache } from './response-cache.ts';
import { setHeaders } from './written.ts';

/** Answers from the cache if possible, before any costly handler. */
export function serveFromCache(responses: ResponseCache): RequestHandler {
  return (request, response, next) => {
    const entry = request.method === 'GET' ? responses.get(request.url) : undefined;
    if (!entry) return next();
    return sendEntry(responses, request, response, entry);
  };
}

/** Sends ready bytes in an encoding that the caller accepts, or 304 if the caller has them. */
export async function sendEntry(
  responses: ResponseCache,
  request: Request,
  response: Response,
  entry: Entry,
): Promise<void> {
  response.setHeader('ETag', entry.etag);
  response.setHeader('Cache-Control', 'no-cache');
  response.setHeader('Vary', 'Accept-Encoding, Origin');
  setHeaders(response, entry.headers);
  if (entry.status === 200 && isKnown(request, entry)) {
    response.removeHeader('Content-Type');
    response.statusCode = 304;
    response.end();
    return;
  }
  response.statusCode = entry.status;
  const wanted = wantedEncoding(request.headers['accept-encoding']);
  const { body, encoding } =
    wanted === 'identity' ? { body: entry.bodies.identity, encoding: wanted } : await responses.encode(entry, wanted);
  if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
  response.setHeader('Content-Length', body.length);
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** If the caller sends an `ETag`, only that counts (RFC 9110, 13.2.2). */
function isKnown({ headers }: Request, { etag, headers: own }: Entry): boolean {
  if (headers['if-none-match']) return matchesEtag(headers['if-none-match'], etag);
  const since = Date.parse(headers['if-modified-since'] ?? '');
  const modified = Date.parse(own['Last-Modified'] ?? '');
  return modified <= since;
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
