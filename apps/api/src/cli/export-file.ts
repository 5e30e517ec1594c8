import { createWriteStream } from 'node:fs';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type ExportFormat, FILTER_KINDS, FILTER_NAMES, type Post } from '@archive/contracts';
import { exportQuerySchema } from '@archive/contracts/schemas';
import { ConfigError } from '../config.ts';
import type { Database } from '../db/database.ts';
import { answerPosts, toPost } from '../posts/answer-posts.ts';
import { matchesFilter } from '../posts/matches-filter.ts';
import type { PostDocument } from '../posts/post-document.ts';
import { PostStore } from '../posts/post-store.ts';
import { writeExport } from '../posts/write-export.ts';
import { ReactionStore } from '../reactions/reaction-store.ts';

const CHUNK = 1_000;

/** Every filter as an option of the command line. */
export const FILTER_OPTIONS = FILTER_NAMES.map((name) => ({
  flags: `${optionOf(name)} <${FILTER_KINDS[name]}>`,
  description: exportQuerySchema.shape[name].description ?? '',
}));

/** Writes the matching posts, newest first. Reads only the database, without an index. */
export async function exportFile(
  database: Database,
  file: string | undefined,
  options: Record<string, string>,
  origin: string,
): Promise<boolean> {
  const format = options['format'] ?? formatOf(file);
  const query = exportQuerySchema.safeParse({ ...options, format });
  if (!query.success) {
    const { issues } = query.error;
    throw new ConfigError(issues.map(({ path, message }) => `${optionOf(String(path[0]))} ${message}`).join('\n'));
  }
  const { format: chosen, sortBy: _sortBy, sortOrder: _sortOrder, ...filter } = query.data;
  const store = new PostStore(database.db, database.clock);
  const reactions = new ReactionStore(database.db);
  const now = store.now().getTime();
  let count = 0;
  async function* chunks(): AsyncGenerator<Post[]> {
    let chunk: PostDocument[] = [];
    const finish = async (): Promise<Post[]> => {
      const archived = await answerPosts({ posts: { store }, reactions: { store: reactions } }, chunk, { batch: true });
      chunk = [];
      const matches = filter.q ? archived.filter((post) => matchesFilter(post, filter, now)) : archived;
      count += matches.length;
      return matches;
    };
    for await (const post of store.readNewestFirst()) {
      // The filter `q` may need other posts and reactions.
      if (!matchesFilter(toPost(post), { ...filter, q: undefined }, now)) continue;
      if (chunk.push(post) >= CHUNK) yield await finish();
    }
    yield await finish();
  }
  const out = file ? createWriteStream(file) : process.stdout;
  try {
    await pipeline(Readable.from(writeExport(chunks(), chosen, origin)), out, { end: file !== undefined });
  } catch (error) {
    // The reader of the pipe has closed it.
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
    return true;
  }
  process.stderr.write(`${count.toLocaleString('en-US')} posts exported\n`);
  return true;
}

/** `startDate` becomes `--start-date`. */
function optionOf(parameter: string): string {
  return `--${parameter.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function formatOf(file: string | undefined): ExportFormat {
  const ending = file ? extname(file).slice(1).toLowerCase() : '';
  return ending === 'csv' || ending === 'json' ? ending : 'ndjson';
}
