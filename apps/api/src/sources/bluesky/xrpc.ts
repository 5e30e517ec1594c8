import { Client, simpleFetchHandler } from '@atcute/client';
import type { z } from 'zod';
import { boundedFetch } from '../bounded-fetch.ts';
import { SourceRefusal, SourceTrouble } from '../source.ts';

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
