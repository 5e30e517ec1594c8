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
  /** The first refusals, with their line numbers. */
  refusals: { line: number; message: string }[];
  /** Posts that were skipped because an earlier run of the same file had imported them. */
  resumedAt: number;
}

export interface ImportProgress extends Omit<ImportSummary, 'refusals'> {
  bytes: number;
  totalBytes: number;
}

interface Checkpoint {
  _id: string;
  /** Number of settled posts from the start of the file. */
  settled: number;
  created: number;
  duplicates: number;
  refused: number;
  updatedAt: Date;
}

const REFUSALS_KEPT = 1_000;

/**
 * Imports a file with constant memory. An invalid line is refused with its number; the others are imported. An
 * interrupted run continues after its last settled batch.
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

  // One batch is written while the next is read. Batches are written in order, so that of two equal posts the first one
  // is kept.
  let writing: Promise<void> = Promise.resolve();
  let batch: FilePost[] = [];
  const launch = async (): Promise<void> => {
    await writing;
    writing = settleBatch(batch, seen);
    // A rejection surfaces at the next `await`; until then it must not count as unhandled.
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
  // After a complete run, the file can be imported again from its start; its posts then count as duplicates.
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
