import type { Readable } from 'node:stream';
import type { Request } from 'express';
import { AppError } from '../app-error.ts';
import { type DownloadLimits, sendStream } from './replies.ts';
import type { Reply } from './route.ts';

/** A video may be read as slowly as it plays. A slower reader is disconnected and can request the rest again. */
const LIMITS: DownloadLimits = { leastBytes: 64 * 1024, watchMs: 30_000, longestMs: 30 * 60_000 };

interface Part {
  start: number;
  end: number;
}

/** Stored bytes that never change under their address. */
export interface StoredFile {
  type: string;
  size: number;
  /** Identifies the bytes; equal values mean equal bytes. */
  etag: string;
  headers: Record<string, string>;
  /** Null if the bytes are missing after all. */
  open(part: Part): Promise<Readable | null>;
}

/** Sends a file, or the requested part of it; 304 if the caller has it. */
export function storedFile(file: StoredFile, limits = LIMITS): Reply<Uint8Array> {
  return async (request, response) => {
    response.setHeader('ETag', file.etag);
    if (request.fresh) return void response.set(file.headers).status(304).end();
    const part = partOf(request, file);
    const { start, end } = part ?? { start: 0, end: file.size - 1 };
    const stream = request.method === 'HEAD' ? null : await file.open({ start, end });
    if (!stream && request.method !== 'HEAD') {
      response.removeHeader('ETag');
      throw new AppError('not_found', 'This file is not here.');
    }
    response.status(part ? 206 : 200).set({ ...file.headers, 'Accept-Ranges': 'bytes', 'Content-Type': file.type });
    response.setHeader('Content-Length', end - start + 1);
    if (part) response.setHeader('Content-Range', `bytes ${start}-${end}/${file.size}`);
    if (!stream) return void response.end();
    await sendStream(stream, response, limits);
  };
}

/** The requested part. Null stands for the whole file, also if several parts are requested, which players do not do. */
function partOf(request: Request, file: StoredFile): Part | null {
  if (request.headers['if-range'] !== undefined && request.headers['if-range'] !== file.etag) return null;
  const parts = request.range(file.size);
  if (parts === undefined || parts === -2) return null;
  if (parts === -1) {
    throw new AppError('range_not_satisfiable', `The file has ${file.size} bytes.`, {
      headers: { 'Content-Range': `bytes */${file.size}` },
    });
  }
  const [part] = parts;
  return parts.type === 'bytes' && parts.length === 1 && part ? { start: part.start, end: part.end } : null;
}
