import { createHash } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { INGEST_BATCH } from '@archive/contracts';
import type { Collection, Db } from 'mongodb';
import { type IngestNeeds, ingestPosts, type KeepMedia } from './ingest-posts.ts';
import type { PlatformAuthor } from './platform-post.ts';
import { type FilePost, readPosts } from './read-posts.ts';

export interface ImportSummary {
  created: number;
  duplicates: number;
  refused: number;
  /** The first refusals, with where they stand. */
  refusals: { line: number; message: string }[];
  /** Posts passed over because an earlier run of the same file had taken them. */
  resumedAt: number;
}

export interface ImportProgress extends Omit<ImportSummary, 'refusals'> {
  bytes: number;
  totalBytes: number;
}

interface Checkpoint {
  _id: string;
  /** Posts of the file that are settled, from its start. */
  settled: number;
  created: number;
  duplicates: number;
  refused: number;
  updatedAt: Date;
}

const REFUSALS_KEPT = 1_000;

/**
 * Imports a file in flat memory. A broken line is refused with its number and the rest goes in. A run that was cut off
 * goes on where its last settled batch ended.
 */
export async function importFile(
  context: IngestNeeds & { database: { db: Db } },
  path: string,
  options: {
    author?: PlatformAuthor | undefined;
    keepMedia?: KeepMedia | undefined;
    onProgress?: (progress: ImportProgress) => void;
  } = {},
): Promise<ImportSummary> {
  const checkpoints = context.database.db.collection<Checkpoint>('imports');
  const { size, mtimeMs } = await stat(path);
  const name = createHash('sha256')
    .update(JSON.stringify([await realpath(path), size, mtimeMs]))
    .digest('base64url');
  const earlier = await checkpoints.findOne({ _id: name });
  const summary: ImportSummary = {
    created: earlier?.created ?? 0,
    duplicates: earlier?.duplicates ?? 0,
    refused: earlier?.refused ?? 0,
    refusals: [],
    resumedAt: earlier?.settled ?? 0,
  };
  let bytes = 0;
  let seen = 0;

  const settleBatch = async (batch: FilePost[], upTo: number): Promise<void> => {
    const posts = batch.filter((item) => item.problem === undefined);
    const refuse = (line: number, message: string) => {
      summary.refused++;
      if (summary.refusals.length < REFUSALS_KEPT) summary.refusals.push({ line, message });
    };
    for (const { line, problem } of batch) if (problem !== undefined) refuse(line, problem);
    if (posts.length > 0) {
      const report = await ingestPosts(
        context,
        posts.map((item) => item.post),
        { tellsOrigin: true, keepMedia: options.keepMedia },
      );
      summary.created += report.created;
      summary.duplicates += report.duplicates;
      for (const { index, status, message } of report.results) {
        if (status === 'invalid') refuse(posts[index]?.line ?? 0, message ?? 'is not valid');
      }
    }
    await saveCheckpoint(checkpoints, name, upTo, summary);
    options.onProgress?.({ ...summary, bytes, totalBytes: size });
  };

  // One batch is written while the next is read; in order, so that of two equal posts the first one is kept.
  let writing: Promise<void> = Promise.resolve();
  let batch: FilePost[] = [];
  const launch = async (): Promise<void> => {
    await writing;
    writing = settleBatch(batch, seen);
    // A failure surfaces at the next await; until then it must not count as unhandled.
    writing.catch(() => {});
    batch = [];
  };
  const count = (read: number) => {
    bytes += read;
  };
  for await (const item of readPosts(path, { author: options.author, onBytes: count })) {
    seen++;
    if (seen <= summary.resumedAt) continue;
    batch.push(item);
    if (batch.length >= INGEST_BATCH) await launch();
  }
  if (batch.length > 0) await launch();
  await writing;
  // Finished: the same file may be imported again from its start, which counts its posts as duplicates.
  await checkpoints.deleteOne({ _id: name });
  summary.refusals.sort((a, b) => a.line - b.line);
  return summary;
}

async function saveCheckpoint(
  checkpoints: Collection<Checkpoint>,
  name: string,
  settled: number,
  { created, duplicates, refused }: ImportSummary,
): Promise<void> {
  await checkpoints.updateOne(
    { _id: name },
    { $set: { settled, created, duplicates, refused }, $currentDate: { updatedAt: true } },
    { upsert: true },
  );
}
