import type { ArchiveSort } from '@archive/contracts';
import { lastOf, type Place, startOf } from './after.ts';
import { pageAtOnce } from './page.ts';
import type { Plan } from './plan.ts';
import type { Statements } from './statements.ts';

/** Posts per chunk. */
const CHUNK = 1_000;

/**
 * Every match in order. Each chunk is a page after the last post of the previous chunk, compiled for the present state
 * of the file. So a slow client holds no snapshot of the file, and memory holds no more than a chunk. A post that
 * matches throughout the export occurs exactly once; a post that is added or removed meanwhile may or may not occur.
 */
export function* exportAll(
  file: Statements,
  sort: ArchiveSort,
  total: number,
  compile: () => Plan,
): Generator<Uint8Array[]> {
  for (let after: Place | undefined; ; ) {
    const { oids, last } = file.atOneMoment(() => nextChunk(file, compile(), { sort, after }, total));
    if (oids.length > 0) yield oids;
    if (!last) return;
    after = last;
  }
}

function nextChunk(
  file: Statements,
  clauses: Plan,
  asked: { sort: ArchiveSort; after: Place | undefined },
  total: number,
): { oids: Uint8Array[]; last: Place | null } {
  if (!clauses) return { oids: [], last: null };
  const slice = { ...asked, offset: 0, limit: CHUNK };
  const start = startOf(file, slice);
  const oids = pageAtOnce(file, [...start.clauses, ...clauses], { ...slice, offset: start.offset }, total);
  return { oids, last: lastOf(file, slice, oids) };
}
