import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { followIndex } from '../posts/follow-index.ts';
import { dropIndexes } from '../posts/open-index.ts';
import { openCluster } from './open-cluster.ts';
import { progressLine } from './progress-line.ts';

/** Builds a new index in the search cluster and swaps it in; the old one stays in use meanwhile. */
export async function buildIndex(database: Database, config: Config): Promise<boolean> {
  if (!config.search) return refuseWithout();
  const { index, store, source, state, log } = await openCluster(database, config);
  const follower = followIndex(database, { index, store, source, state, log });
  const line = progressLine(process.stderr);
  try {
    await follower.buildNow((share, told) => line.show(share, told));
    line.end();
    const { posts } = await index.summary();
    process.stdout.write(`The index of the search cluster holds ${posts.toLocaleString('en-US')} posts.\n`);
    return true;
  } finally {
    await index.close();
  }
}

/** Deletes the index, even of another archive. A server of this archive builds it again. */
export async function dropIndex(config: Config): Promise<boolean> {
  if (!config.search) return refuseWithout();
  const dropped = await dropIndexes(config.search);
  process.stdout.write(
    dropped === 0
      ? 'There was none.\n'
      : `The index ${config.search.name} of the search cluster is deleted. A server that still uses the cluster builds it again.\n`,
  );
  return true;
}

function refuseWithout(): false {
  process.stdout.write('SEARCH_URL is not set: each server builds an index file of its own.\n');
  return false;
}
