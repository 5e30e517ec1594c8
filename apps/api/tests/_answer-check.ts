import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { ENDPOINTS, type EndpointName, ERROR_STATUS, type ErrorCode, LEGACY_PATHS } from '@archive/contracts';
import { ANSWERS, type AnswerDescription, problemSchema } from '@archive/contracts/schemas';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import { refusalCodes } from '../src/http/openapi.ts';
import { ROUTES } from '../src/routes.ts';

/** A body where none is wanted is read all the same. */
const ABOUT_BODIES: readonly ErrorCode[] = ['invalid_json', 'payload_too_large', 'unsupported_media_type'];

const DECODERS: Record<string, (sent: Buffer) => Buffer> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  deflate: inflateSync,
};

const PATTERNS = (Object.keys(ENDPOINTS) as EndpointName[])
  .flatMap((name) => [ENDPOINTS[name].path, ...(LEGACY_PATHS[name] ?? [])].map((path) => ({ name, path })))
  .map(({ name, path }) => ({
    name,
    method: ENDPOINTS[name].method,
    rank: path.replace(/:\w+/g, '~'),
    pattern: new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/:\w+/g, '[^/]+')}/?$`),
  }))
  // A literal segment goes before a parameter.
  .sort((a, b) => (a.rank < b.rank ? -1 : 1));

/** Puts a 500 in the place of an answer that its schema, its statuses or its refusals do not allow, so that the test fails. */
export function checkAnswers(): RequestHandler {
  return (request, response, next) => {
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const { path } = request;
    const name = PATTERNS.find((one) => one.method === method && one.pattern.test(path))?.name;
    const chunks: Buffer[] = [];
    const note = (chunk: unknown, encoding: unknown) => {
      if (typeof chunk === 'string') chunks.push(Buffer.from(chunk, encoding as BufferEncoding));
      else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
    };
    const { write, end } = response;
    response.write = ((...given: unknown[]) => {
      note(given[0], given[1]);
      return (write as (...all: unknown[]) => boolean).apply(response, given);
    }) as typeof write;
    response.end = ((...given: unknown[]) => {
      note(given[0], given[1]);
      const problem = name && problemOf(name, response.statusCode, headersOf(response), Buffer.concat(chunks));
      if (problem) {
        const words = `${request.method} ${path} ${response.statusCode} is outside the contract: ${problem}`;
        if (response.headersSent) throw new Error(words);
        response.statusCode = 500;
        response.setHeader('Content-Length', Buffer.byteLength(words));
        return (end as (...all: unknown[]) => typeof response).apply(response, [words]);
      }
      return (end as (...all: unknown[]) => typeof response).apply(response, given);
    }) as typeof end;
    next();
  };
}

function headersOf(response: { getHeader(name: string): unknown }) {
  return {
    type: String(response.getHeader('Content-Type') ?? ''),
    encoding: String(response.getHeader('Content-Encoding') ?? 'identity'),
  };
}

function problemOf(
  name: EndpointName,
  status: number,
  { type, encoding }: { type: string; encoding: string },
  sent: Buffer,
): string | undefined {
  const { answer, statuses = [200] }: AnswerDescription = ANSWERS[name];
  if (status === 304 || (sent.length === 0 && encoding !== 'identity')) return undefined;
  const body = DECODERS[encoding]?.(sent) ?? sent;
  if (type.startsWith('application/problem+json')) {
    const problem = problemSchema.safeParse(JSON.parse(body.toString()));
    if (!problem.success) return z.prettifyError(problem.error);
    const code = problem.data.code as ErrorCode;
    if (ERROR_STATUS[code] !== status) return `${code} is not answered with ${status}`;
    return ABOUT_BODIES.includes(code) || refusalCodes(name, ROUTES[name]).includes(code)
      ? undefined
      : `${code} is not among the refusals`;
  }
  if (answer === null) return status === 204 && body.length === 0 ? undefined : 'should be empty';
  if (!statuses.includes(status)) return 'is not among the statuses';
  if (!(answer instanceof z.ZodType)) return answer.media.includes(type) ? undefined : `${type} is not among the media`;
  if (body.length === 0) return undefined;
  const result = answer.safeParse(JSON.parse(body.toString()));
  return result.success ? undefined : z.prettifyError(result.error);
}
