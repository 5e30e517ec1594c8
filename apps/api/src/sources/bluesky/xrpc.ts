import { Client, simpleFetchHandler } from '@atcute/client';
import type { z } from 'zod';
import { SourceRefusal, SourceTrouble } from '../source.ts';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 8_000_000;

/** Fetches within a time and a size: what a service sends is not trusted to end. */
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

export function publicClient(service: string): Client {
  return new Client({ handler: simpleFetchHandler({ service, fetch: boundedFetch }) });
}

export interface Answer<T> {
  data: T;
  raw: Uint8Array;
}

/** Asks, and reads the answer by its schema; `raw` is that answer as it came. */
export async function ask<T>(
  client: Client,
  query: string,
  params: Record<string, unknown>,
  schema: z.ZodType<T>,
  signal: AbortSignal,
): Promise<Answer<T>> {
  const response = await reach(() =>
    (client.get as unknown as UntypedGet).call(client, query, { params, as: 'bytes', signal }),
  );
  if (!response.ok) throw failureOf(response.status, response.headers, response.data);
  const raw = response.data;
  const parsed = schema.safeParse(readJson(raw));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new SourceTrouble(`Bluesky answers ${query} in another shape: ${issue?.path.join('.')} ${issue?.message}`);
  }
  return { data: parsed.data, raw };
}

/** The client knows each query's own types; which query it is here is only known when it is asked. */
type UntypedGet = (
  query: string,
  options: { params: Record<string, unknown>; as: 'bytes'; signal: AbortSignal },
) => Promise<
  | { ok: true; status: number; headers: Headers; data: Uint8Array }
  | { ok: false; status: number; headers: Headers; data: Failure }
>;

interface Failure {
  error?: string;
  message?: string;
}

/** A service that cannot be reached, or not in time, is a trouble. */
export async function reach<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SourceTrouble || error instanceof SourceRefusal) throw error;
    throw new SourceTrouble('Bluesky could not be reached', { cause: error });
  }
}

/** What a refusal of the service means. */
export function failureOf(status: number, headers: Headers, { error = '', message = '' }: Failure): Error {
  if (status === 400 && /^(NotFound|InvalidRequest|UnableToResolve)/.test(error)) return new SourceRefusal('not_found');
  if (status === 404) return new SourceRefusal('not_found');
  const reset = Number(headers.get('ratelimit-reset'));
  const until = status === 429 && Number.isFinite(reset) && reset > 0 ? new Date(reset * 1000) : undefined;
  return new SourceTrouble(`Bluesky answers ${status} ${error} ${message}`.trim().slice(0, 300), { until });
}

function readJson(raw: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw));
  } catch (error) {
    throw new SourceTrouble('Bluesky answers no JSON', { cause: error });
  }
}
