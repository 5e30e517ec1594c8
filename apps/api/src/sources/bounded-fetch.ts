import { SourceTrouble } from './source.ts';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 8_000_000;

/** Fetches within limits of time and size, without following redirects. An answer of a service may never end. */
export async function boundedFetch(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(init.signal ? [init.signal] : [])]);
  const response = await fetch(input, { ...init, signal, redirect: 'error' });
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new SourceTrouble('the answer is too large');
    chunks.push(chunk);
  }
  const { status, headers } = response;
  const hasBody = status !== 204 && status !== 304;
  return new Response(hasBody ? Buffer.concat(chunks) : null, { status, headers });
}
