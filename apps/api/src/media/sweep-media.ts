import type { MediaDocument } from './media-document.ts';
import type { MediaParts } from './media-parts.ts';
import { removeBytes } from './remove-media.ts';

/** Within it what is being kept gets its bytes, its entry and its post. */
const SETTLED_MS = 60 * 60_000;

/** All beginnings of hashes: a part of the files at a time, however many there are. */
export const PREFIXES: readonly string[] = Array.from({ length: 256 }, (_, at) => at.toString(16).padStart(2, '0'));

export interface SweepReport {
  /** Names of bytes that nothing tells of, now removed. */
  orphans: string[];
  /** Hashes of files that no post needed, now removed. */
  unneeded: string[];
  /** Hashes of files whose bytes are not there. Whoever keeps the same bytes again brings them back. */
  missing: string[];
}

/** Finishes what processes that were killed had begun to remove, or what one without the bytes at hand has let go. */
export async function finishRemovals(parts: MediaParts): Promise<void> {
  for (const one of await parts.store.unfinished()) {
    const gone = one.state === 'gone' ? one : await parts.store.letGo(one._id);
    if (gone) await removeBytes(parts, gone);
  }
}

/** Compares the bytes whose hash begins with these digits with what tells of them. */
export async function sweepMedia(parts: MediaParts, prefix: string): Promise<SweepReport> {
  const { store, bytes, now, log } = parts;
  const report: SweepReport = { orphans: [], unneeded: [], missing: [] };
  const before = now() - SETTLED_MS;
  // Listed first: what comes while this goes on is then known, and younger than an hour.
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
    // Looked at once more: it may have been kept between the two lists.
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
