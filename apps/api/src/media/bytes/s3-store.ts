import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { S3mini } from 's3mini';
import { type ByteRange, type ByteStore, checkName } from './byte-store.ts';

const PREFIX = 'media/';
/** Milliseconds until the head of an answer. The caller limits the time for its body. */
const ANSWER_MS = 60_000;
const LIST_PAGE = 1_000;

export interface S3Settings {
  endpoint: string;
  bucket: string;
  key: string;
  secret: string;
  region: string;
}

/** Bytes in an S3-compatible store, under `media/`, for several machines that serve one archive. */
export class S3Store implements ByteStore {
  readonly #client: S3mini;

  constructor({ endpoint, bucket, key, secret, region }: S3Settings) {
    this.#client = new S3mini({
      accessKeyId: key,
      secretAccessKey: secret,
      endpoint: `${endpoint.endsWith('/') ? endpoint.slice(0, -1) : endpoint}/${bucket}`,
      region,
      fetch: fetchInTime,
    });
  }

  /** A put is atomic by the guarantees of S3. */
  async put(name: string, bytes: Buffer): Promise<void> {
    if (await this.has(name)) return;
    await this.#client.putObject(keyOf(name), bytes, 'application/octet-stream');
  }

  async open(name: string, range: ByteRange) {
    // The client's ranges exclude their end.
    const asked = this.#client.getObjectRaw(keyOf(name), false, range.start, range.end + 1);
    const answer = await asked.catch((error: { status?: number }) => {
      if (error.status === 404) return null;
      throw error;
    });
    if (!answer?.body) return null;
    checkRange(answer, range);
    return Readable.fromWeb(answer.body as ReadableStream);
  }

  async has(name: string): Promise<boolean> {
    return (await this.#client.objectExists(keyOf(name))) === true;
  }

  async remove(name: string): Promise<void> {
    await this.#client.deleteObject(keyOf(name));
  }

  async *list(prefix: string) {
    let token: string | undefined;
    do {
      const page = await this.#client.listObjectsPaged('/', `${PREFIX}${prefix}`, LIST_PAGE, token);
      for (const { Key, LastModified } of page?.objects ?? [])
        yield { name: Key.slice(PREFIX.length), at: new Date(LastModified) };
      token = page?.nextContinuationToken;
    } while (token);
  }
}

function keyOf(name: string): string {
  return PREFIX + checkName(name);
}

/**
 * Refuses a wrong range: with the expected length in the header, the client would take the rest for the next answer.
 */
function checkRange(answer: Response, { start, end }: ByteRange): void {
  const got = answer.headers.get('content-range') ?? 'no range';
  if (answer.status === 206 && got.startsWith(`bytes ${start}-${end}/`)) return;
  void answer.body?.cancel();
  throw new Error(`the store of media was asked for bytes ${start}-${end} and gave ${got}`);
}

/** Limits the time until an answer, and refuses redirects to another host. */
const fetchInTime: typeof fetch = async (input, init) => {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error('the store of media did not answer in time')), ANSWER_MS);
  return fetch(input, { ...init, signal: late.signal, redirect: 'error' }).finally(() => clearTimeout(timer));
};
