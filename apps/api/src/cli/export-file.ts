import { createWriteStream } from 'node:fs';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Archive, ExportFormat } from '@archive/contracts';
import { exportQuerySchema } from '@archive/contracts/schemas';
import { ArchiveStore } from '../archives/archive-store.ts';
import { writeExport } from '../archives/export-archives.ts';
import { matchesFilter } from '../archives/matches-filter.ts';
import { type PostDocument, toArchive } from '../archives/post-document.ts';
import { ConfigError } from '../config.ts';
import type { Database } from '../db/database.ts';
import { ReactionStore } from '../reactions/reaction-store.ts';

const CHUNK = 1_000;

/** Writes the posts that match, newest first, reading the database alone. */
export async function exportFile(
  database: Database,
  file: string | undefined,
  options: Record<string, string>,
): Promise<boolean> {
  const format = options['format'] ?? formatOf(file);
  const query = exportQuerySchema.safeParse({ ...options, format });
  if (!query.success) {
    throw new ConfigError(query.error.issues.map((issue) => `--${issue.path.join('.')} ${issue.message}`).join('\n'));
  }
  const { format: chosen, sortBy: _sortBy, sortOrder: _sortOrder, ...filter } = query.data;
  const archives = new ArchiveStore(database.db, database.clock);
  const reactions = new ReactionStore(database.db);
  let count = 0;
  async function* chunks(): AsyncGenerator<Archive[]> {
    let chunk: PostDocument[] = [];
    const finish = async (): Promise<Archive[]> => {
      const counts = await reactions.countOf(chunk.map((post) => post._id));
      const archived = chunk.map((post) => toArchive(post, counts));
      count += chunk.length;
      chunk = [];
      return archived;
    };
    for await (const post of archives.readNewestFirst()) {
      if (!matchesFilter(toArchive(post), filter)) continue;
      if (chunk.push(post) >= CHUNK) yield await finish();
    }
    yield await finish();
  }
  const out = file ? createWriteStream(file) : process.stdout;
  try {
    await pipeline(Readable.from(writeExport(chunks(), chosen)), out, { end: file !== undefined });
  } catch (error) {
    // Whoever reads the other end of the pipe has seen enough.
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
    return true;
  }
  process.stderr.write(`${count.toLocaleString('en-US')} posts exported\n`);
  return true;
}

function formatOf(file: string | undefined): ExportFormat {
  const ending = file ? extname(file).slice(1).toLowerCase() : '';
  return ending === 'csv' || ending === 'json' ? ending : 'ndjson';
}
