import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { ENDPOINTS, type EndpointName, ERROR_STATUS, type ErrorCode, LEGACY_PATHS } from '@archive/contracts';
import { ANSWERS, type AnswerDescription, problemSchema } from '@archive/contracts/schemas';
import { z } from 'zod';
import { refusalCodes } from '../src/http/openapi.ts';
import { ROUTES } from '../src/routes.ts';

/** The server reads a body even if the call takes none. */
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
  // A literal segment takes precedence over a parameter.
  .sort((a, b) => (a.rank < b.rank ? -1 : 1));

/** The call that a request reaches, if any. */
export function endpointAt(method: string, path: string): EndpointName | undefined {
  const asked = method === 'HEAD' ? 'GET' : method;
  return PATTERNS.find((one) => one.method === asked && one.pattern.test(path))?.name;
}

/** The bytes of an answer after decompression. */
export function unpacked(sent: Buffer, encoding = 'identity'): Buffer {
  return sent.length === 0 ? sent : (DECODERS[encoding]?.(sent) ?? sent);
}

/** What in an answer violates the contract (its schema, statuses or error codes), as text. */
export function problemOf(
  name: EndpointName,
  status: number,
  { type, encoding }: { type: string; encoding: string },
  sent: Buffer,
): string | undefined {
  const { answer, statuses = [200] }: AnswerDescription = ANSWERS[name];
  if (status === 304 || (sent.length === 0 && encoding !== 'identity')) return undefined;
  const body = unpacked(sent, encoding);
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
