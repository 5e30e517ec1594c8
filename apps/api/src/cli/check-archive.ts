import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { IndexedPost, IndexReport } from '@archive/search';
import { checkIndex } from '@archive/search/sqlite';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { PostStore } from '../posts/post-store.ts';
import { PostsForIndex } from '../posts/posts-for-index.ts';
import { ReactionStore } from '../reactions/reaction-store.ts';
import { openCluster } from './open-cluster.ts';
import { progressLine } from './progress-line.ts';

const SHOWN = 20;

type Check = (posts: AsyncIterable<IndexedPost>, onProgress: (done: number) => void) => Promise<IndexReport>;

/** Compares a server's index with the database, post by post. Returns false if they differ, or if there is no index. */
export async function checkArchive(database: Database, config: Config): Promise<boolean> {
  const store = new PostStore(database.db, database.clock);
  const source = new PostsForIndex(database.db, new ReactionStore(database.db));
  const opened = config.search ? (await openCluster(database, config)).index : findFile(config);
  if (!opened) return false;
  const line = progressLine(process.stderr);
  const total = await store.countLive();
  const report = await opened.check(source.walkLive(), (done) =>
    line.show(done / Math.max(1, total), `${done.toLocaleString('en-US')} posts compared`),
  );
  line.end();
  await opened.close();
  for (const difference of report.differences.slice(0, SHOWN)) process.stdout.write(`  ${difference}\n`);
  const { posts, differenceCount } = report;
  process.stdout.write(
    `${posts.toLocaleString('en-US')} posts compared: ${
      differenceCount === 0 ? 'index and database agree' : `${differenceCount} differences`
    }\n`,
  );
  return differenceCount === 0;
}

function findFile({ dataDir, port }: Config): { check: Check; close(): Promise<void> } | null {
  const path = join(dataDir, 'index', `archive-${port}.sqlite`);
  if (existsSync(path))
    return { check: (posts, onProgress) => checkIndex(path, posts, onProgress), close: async () => {} };
  process.stdout.write(`Nothing was compared: no server on port ${port} has made an index here. PORT names another.\n`);
  return null;
}
