import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import type { Reply } from './route.ts';

/**
 * A download occupies a place. A reader that takes less than `leastBytes` in `watchMs` is disconnected, and every
 * reader after `longestMs`.
 */
export interface DownloadLimits {
  leastBytes: number;
  watchMs: number;
  longestMs: number;
}

const LIMITS: DownloadLimits = { leastBytes: 512 * 1024, watchMs: 30_000, longestMs: 60 * 60_000 };

export function json<Answer>(status: number, answer: Answer): Reply<Answer> {
  return (_request, response) => void response.status(status).json(answer);
}

/** A reply with ready bytes; `Answered` is the type of their content. */
export function bytes<Answered = Uint8Array>(
  type: string,
  body: Buffer | string,
  headers: Record<string, string> = {},
): Reply<Answered> {
  return (_request, response) => void response.set(headers).type(type).send(body);
}

/** A text that is sent while it is made. */
export function streamed(type: string, make: () => AsyncIterable<string>, limits = LIMITS): Reply<Uint8Array> {
  return async (request, response) => {
    response.setHeader('Content-Type', type);
    response.setHeader('Cache-Control', 'public, max-age=60');
    await stream(request, response, make, limits);
  };
}

/** Calls `send` if the caller may start a download; throws otherwise. */
type Slot = (
  make: () => AsyncIterable<string>,
  send: (make: () => AsyncIterable<string>) => Promise<void>,
) => Promise<void>;

/** A file that is sent while it is made, within a slot if one is given. `make` is not called for a HEAD request. */
export function download(
  file: { name: string; type: string },
  make: () => AsyncIterable<string>,
  { limits = LIMITS, slot = (made, send) => send(made) }: { limits?: DownloadLimits; slot?: Slot } = {},
): Reply<Uint8Array> {
  return (request, response) =>
    slot(make, async (made) => {
      response.setHeader('Content-Type', file.type);
      response.setHeader('Content-Disposition', `attachment; filename="${file.name}"`);
      response.setHeader('Cache-Control', 'no-store, no-transform');
      await stream(request, response, made, limits);
    });
}

async function stream(
  request: Request,
  response: Response,
  make: () => AsyncIterable<string>,
  limits: DownloadLimits,
): Promise<void> {
  if (request.method === 'HEAD') return void response.end();
  await sendStream(Readable.from(make()), response, limits);
}

/** Sends a stream at the reader's pace, until either side ends. */
export async function sendStream(source: Readable, response: Response, limits: DownloadLimits): Promise<void> {
  // The 'close' event has passed, so a pipeline would wait for ever.
  if (response.destroyed) return void source.destroy();
  // Sockets, compression and the pipeline add eleven listeners, which Node would report as a leak.
  response.setMaxListeners(16);
  const watch = watchReader(response, limits);
  await pipeline(source, response)
    .catch((error: NodeJS.ErrnoException) => {
      // A reader that leaves is not a failure.
      if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    })
    .finally(() => clearInterval(watch));
}

/** Disconnects a reader that takes too little while data is waiting. */
function watchReader(response: Response, { leastBytes, watchMs, longestMs }: DownloadLimits): NodeJS.Timeout {
  const until = performance.now() + longestMs;
  let before = 0;
  return setInterval(() => {
    const taken = response.socket?.bytesWritten ?? 0;
    const isStalled = response.writableNeedDrain && taken - before < leastBytes;
    before = taken;
    if (isStalled || performance.now() > until) response.destroy();
  }, watchMs);
}
