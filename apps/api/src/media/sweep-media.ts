import type { MediaDocument } from './media-document.ts';
import type { MediaParts } from './media-parts.ts';
import { removeBytes } from './remove-media.ts';

/** Within this time, a file being stored gets its bytes, its document and its reference. */
const SETTLED_MS = 60 * 60_000;

/** All prefixes of hashes, so that each sweep reads a part of the files. */
export const PREFIXES: readonly string[] = Array.from({ length: 256 }, (_, at) => at.toString(16).padStart(2, '0'));

export interface SweepReport {
  /** Names of deleted bytes that had no document. */
  orphans: string[];
  /** Hashes of deleted files that no post needed. */
  unneeded: string[];
  /** Hashes of files without bytes. Storing the same bytes again restores them. */
  missing: string[];
}

/** Completes removals that killed processes have begun, or that a process without access to the bytes has left. */
export async function finishRemovals(parts: MediaParts): Promise<void> {
  for (const one of await parts.store.unfinished()) {
    const gone = one.state === 'gone' ? one : await parts.store.letGo(one._id);
    if (gone) await removeBytes(parts, gone);
  }
}

/** Compares the bytes with this prefix with their documents. */
export async function sweepMedia(parts: MediaParts, prefix: string): Promise<SweepReport> {
  const { store, bytes, now, log } = parts;
  const report: SweepReport = { orphans: [], unneeded: [], missing: [] };
  const before = now() - SETTLED_MS;
  // Bytes are listed first. Bytes stored later are then not in the list and not older than an hour.
  const settled: string[] = [];
  const lying = new Set<string>();
  for await (const { name, at } of bytes.list(prefix)) {
    lying.add(name);
    if (at.getTime() < before) settled.push(name);
  }
  const needed = await store.neededOf(prefix);
  const told = new Set<string>();
  for await (const document of store.allOf(prefix)) {
    told.add(document.name);
    if (document.state !== 'kept' || document.heldAt.getTime() >= before) continue;
    if (!needed.has(document._id) && (await removeUnneeded(parts, document))) report.unneeded.push(document._id);
    else if (!lying.has(document.name) && !(await bytes.has(document.name))) report.missing.push(document._id);
  }
  for (const name of settled) {
    const [plain = ''] = name.split('.');
    // Checked again, since the file may have been stored between the two reads.
    if (told.has(plain) || (await store.findAny(plain.slice(0, 64)))?.name === plain) continue;
    await bytes.remove(name);
    report.orphans.push(name);
  }
  if (report.missing.length > 0) log.error({ files: report.missing }, 'bytes of media are missing');
  return report;
}

async function removeUnneeded(parts: MediaParts, { _id }: MediaDocument): Promise<boolean> {
  const gone = await parts.store.letGo(_id);
  if (gone) await removeBytes(parts, gone);
  return gone !== null;
}
