import { AuthorWishStore } from '../authors/author-wish-store.ts';
import type { Database } from '../db/database.ts';
import { type ImportProgress, importFile } from '../ingest/import-file.ts';
import { mediaBeside, mediaFolder } from '../ingest/media-folder.ts';
import type { Media } from '../media/media.ts';
import { ArrivedPostStore } from '../posts/arrived-post-store.ts';
import { PostChanges } from '../posts/post-changes.ts';
import { PostStore } from '../posts/post-store.ts';
import { followImport } from './follow-import.ts';
import { progressLine } from './progress-line.ts';

const REFUSALS_SHOWN = 20;

export interface ImportOptions {
  author?: string;
  handle?: string;
  /** Folder with the bytes of their media. */
  media?: string;
  /** Waits until the indexes of all running servers hold the imported posts. */
  wait?: true;
}

/** Imports files one after the other. Returns false if any line was refused. */
export async function importFiles(
  database: Database,
  files: string[],
  options: ImportOptions,
  media: Pick<Media, 'keep'>,
): Promise<boolean> {
  const handle = options.handle?.replace(/^@/, '');
  const author = handle ? { handle, name: options.author ?? handle } : undefined;
  const changes = new PostChanges();
  // A running server finds the new posts by itself.
  const context = {
    posts: {
      store: new PostStore(database.db, database.clock, changes),
      arrived: new ArrivedPostStore(database.db, changes),
    },
    authors: { wishes: new AuthorWishStore(database.db) },
    database,
  };
  let isWhole = true;
  let created = 0;
  for (const file of files) {
    const line = progressLine(process.stderr);
    const startedAt = Date.now();
    const folder = options.media ?? (await mediaBeside(file));
    const summary = await importFile(context, file, {
      author,
      keepMedia: folder ? await mediaFolder(media, folder) : undefined,
      onProgress: (progress) => line.show(progress.bytes / progress.totalBytes, describe(progress, startedAt)),
    });
    line.end();
    if (summary.resumedAt > 0) process.stdout.write(`${file}: went on after ${number(summary.resumedAt)} posts\n`);
    process.stdout.write(
      `${file}: ${number(summary.created)} created, ${number(summary.duplicates)} duplicates, ${number(summary.refused)} refused\n`,
    );
    for (const { line, message } of summary.refusals.slice(0, REFUSALS_SHOWN)) {
      process.stdout.write(`  line ${line}: ${message}\n`);
    }
    const hidden = summary.refused - Math.min(summary.refusals.length, REFUSALS_SHOWN);
    if (hidden > 0) process.stdout.write(`  and ${number(hidden)} more\n`);
    if (summary.refused > 0) isWhole = false;
    created += summary.created;
  }
  if (created > 0) await followImport(database, created, options.wait === true, say);
  return isWhole;
}

function say(words: string): void {
  process.stdout.write(`${words}\n`);
}

function describe(progress: ImportProgress, startedAt: number): string {
  const settled = progress.created + progress.duplicates + progress.refused - progress.resumedAt;
  const rate = settled / Math.max(0.001, (Date.now() - startedAt) / 1000);
  return `${number(settled + progress.resumedAt)} posts, ${number(Math.round(rate))}/s`;
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}
