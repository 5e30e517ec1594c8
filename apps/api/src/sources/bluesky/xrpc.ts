import { Client, simpleFetchHandler } from '@atcute/client';
import type { z } from 'zod';
import { boundedFetch } from '../bounded-fetch.ts';
import { SourceRefusal, SourceTrouble } from '../source.ts';

export function publicClient(service: string): Client {
  return new Client({ handler: simpleFetchHandler({ service, fetch: boundedFetch }) });
}

/** Sends a query and parses the answer by its schema. */
export async function ask<T>(
  client: Client,
  query: string,
  params: Record<string, unknown>,
  schema: z.ZodType<T>,
  signal: AbortSignal,
): Promise<T> {
  const response = await reach(() =>
    (client.get as unknown as UntypedGet).call(client, query, { params, as: 'bytes', signal }),
  );
  if (!response.ok) throw failureOf(response.status, response.headers, response.data);
  const parsed = schema.safeParse(readJson(response.data));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new SourceTrouble(`Bluesky answers ${query} in another shape: ${issue?.path.join('.')} ${issue?.message}`);
  }
  return parsed.data;
}

/** The client's type for each query is static; here the query is known only at run time. */
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

/** Turns an unreachable or slow service into `SourceTrouble`. */
export async function reach<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SourceTrouble || error instanceof SourceRefusal) throw error;
    throw new SourceTrouble('Bluesky could not be reached', { cause: error });
  }
}

/** Turns a refusal into an error. It is final only if the service says that the thing does not exist. */
export function failureOf(status: number, headers: Headers, failure: Failure): Error {
  const isFinal = (status === 400 || status === 404) && isAbsent(failure);
  return isFinal ? new SourceRefusal('not_found') : troubleOf(status, headers, failure);
}

function isAbsent({ error = '', message = '' }: Failure): boolean {
  if (/^(?:NotFound|RecordNotFound|HandleNotFound)$/.test(error)) return true;
  // For an unknown handle, and on some servers for an unknown record, only the message tells that it does not exist.
  return error === 'UnableToResolveHandle' || /^(?:unable to resolve handle|could not locate record)/i.test(message);
}

/** A temporary refusal of the service. */
export function troubleOf(status: number, headers: Headers, { error = '', message = '' }: Failure): SourceTrouble {
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
