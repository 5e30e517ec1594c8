import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Reply } from './route.ts';

/** A reader that takes nothing for so long is sent away: it holds a place and a state of the index. */
const STALLED_MS = 30_000;

export function json<Answer>(status: number, answer: Answer): Reply<Answer> {
  return (_request, response) => void response.status(status).json(answer);
}

/** Ready bytes; `Answered` is what they say. */
export function bytes<Answered = Uint8Array>(
  type: string,
  body: Buffer | string,
  headers: Record<string, string> = {},
): Reply<Answered> {
  return (_request, response) => void response.set(headers).type(type).send(body);
}

/** A file, written as it is made; `make` is not called where only the head is asked for. */
export function download(file: { name: string; type: string }, make: () => AsyncIterable<string>): Reply<Uint8Array> {
  return async (request, response) => {
    response.setHeader('Content-Type', file.type);
    response.setHeader('Content-Disposition', `attachment; filename="${file.name}"`);
    response.setHeader('Cache-Control', 'no-store, no-transform');
    if (request.method === 'HEAD') return void response.end();
    response.setTimeout(STALLED_MS, () => response.destroy());
    await pipeline(Readable.from(make()), response).catch((error: NodeJS.ErrnoException) => {
      // A reader that leaves is no failure of ours.
      if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    });
  };
}
