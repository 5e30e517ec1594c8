import { setTimeout as delay } from 'node:timers/promises';
import { IndexAwayError } from '../archive-index.ts';
import { BLOCKED, type Cluster, foreign } from './cluster.ts';
import type { Kind } from './mapping.ts';

/** Bytes of one request. */
const REQUEST_BYTES = 5_000_000;
/** Milliseconds that a request may take, plus `WRITE_ONE_MS` per document. Then the client asks another node. */
export const WRITE_MS = 10_000;
const WRITE_ONE_MS = 50;
/** Pauses before the retries of writes that an overloaded cluster rejects, in milliseconds. */
const PAUSES = [100, 300, 1_000, 3_000, 10_000];

export interface Write {
  index: string;
  id: string;
  document: { kind: Kind; by?: string };
  /** The cluster rejects the write if it holds a newer version. */
  version?: number;
  /** The write succeeds only if the document is unchanged since it was read; with null, only if it does not exist. */
  seen?: { _seq_no: number; _primary_term: number } | null;
}

interface Item {
  _id: string;
  _index: string;
  status: number;
  error?: { type: string; reason: string; caused_by?: { reason?: string } };
}

/** A document that the cluster refuses for good. */
export interface Refused {
  id: string;
  reason: string;
}

/** The writes that failed: `outrun` because the cluster holds something newer, `refused` for good. */
export interface Written {
  outrun: Write[];
  refused: Refused[];
}

/**
 * Writes documents. Each write succeeds or fails by itself: 409 means that something newer is held; 429 is tried again;
 * a refused document stops no other. @throws IndexAwayError where the cluster takes no writes.
 */
export async function writeAll(cluster: Cluster, writes: readonly Write[]): Promise<Written> {
  const written: Written = { outrun: [], refused: [] };
  for (const part of inParts(writes)) {
    for (let waiting = part, attempt = 0; waiting.length > 0; attempt++) {
      const again = await writePart(cluster, waiting, written);
      const pause = PAUSES[attempt];
      if (again.length > 0 && pause === undefined) {
        throw new IndexAwayError('overloaded', 'the search cluster has put writes off for too long');
      }
      waiting = again;
      if (again.length > 0) await delay(pause);
    }
  }
  return written;
}

function inParts(writes: readonly Write[]): { write: Write; line: string }[][] {
  const parts: { write: Write; line: string }[][] = [];
  let bytes = REQUEST_BYTES;
  for (const write of writes) {
    const line = lineOf(write);
    if (bytes + line.length > REQUEST_BYTES) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)?.push({ write, line });
    bytes += line.length;
  }
  return parts;
}

function lineOf({ index, id, document, version, seen }: Write): string {
  const action = {
    _index: index,
    _id: id,
    require_alias: true,
    ...(version !== undefined && { version, version_type: 'external_gte' }),
    ...(seen && { if_seq_no: seen._seq_no, if_primary_term: seen._primary_term }),
  };
  return `${JSON.stringify({ [seen === null ? 'create' : 'index']: action })}\n${JSON.stringify(document)}\n`;
}

/** Returns the writes to retry. */
async function writePart(
  cluster: Cluster,
  part: { write: Write; line: string }[],
  written: Written,
): Promise<{ write: Write; line: string }[]> {
  const lines = part.map(({ line }) => line).join('');
  const sent = cluster.call<{ errors: boolean; items: Record<string, Item>[] }>('POST /_bulk', {
    query: { filter_path: 'errors,items.*.status,items.*.error' },
    lines,
    member: 'errors',
    ms: WRITE_MS + part.length * WRITE_ONE_MS,
  });
  const answer = await sent.catch((error) => {
    if (error instanceof IndexAwayError && error.reason === 'overloaded') return null;
    throw error;
  });
  if (answer === null) return part;
  if (answer.errors === false) return [];
  if (!Array.isArray(answer.items)) throw foreign();
  const again: typeof part = [];
  for (const [at, item] of answer.items.entries()) {
    const one = part[at];
    const [result] = Object.values(item);
    if (!one || !result?.error) continue;
    const { type, reason, caused_by } = result.error;
    if (result.status === 409) written.outrun.push(one.write);
    else if (result.status === 429 && type !== BLOCKED) again.push(one);
    else if (result.status === 400) {
      written.refused.push({ id: one.write.id, reason: [reason, caused_by?.reason].filter(Boolean).join(': ') });
    } else throw cluster.toldOf(result.status, result.error);
  }
  return again;
}
