import { Lease } from '../background/lease.ts';
import type { Config } from '../config.ts';
import { ArchiveState } from '../db/archive-state.ts';
import type { Database } from '../db/database.ts';
import { IndexFollower } from '../posts/index-follower.ts';
import { IndexPositions } from '../posts/index-positions.ts';
import { openArchiveIndex } from '../posts/open-index.ts';
import { PostStore } from '../posts/post-store.ts';
import { PostsForIndex } from '../posts/posts-for-index.ts';
import { ReactionStore } from '../reactions/reaction-store.ts';
import { progressLine } from './progress-line.ts';

const NO_CLUSTER = 'SEARCH_URL is not set: each server builds an index file of its own.\n';

/** Builds the index of the search cluster beside the one in use, if any, and puts it in its place. */
export async function buildIndex(database: Database, config: Config): Promise<boolean> {
  const opened = await open(database, config);
  if (!opened) return false;
  const { index, follower } = opened;
  const line = progressLine(process.stderr);
  const startedAt = performance.now();
  try {
    await follower.buildNow((done, total) => {
      if (total === 0) return;
      const left =
        done === 0 ? '' : `, ${Math.ceil((((performance.now() - startedAt) / done) * (total - done)) / 1_000)} s left`;
      line.show(
        Math.min(1, done / total),
        `${done.toLocaleString('en-US')} of ${total.toLocaleString('en-US')} posts${left}`,
      );
    });
    line.end();
    const { posts } = await index.summary();
    process.stdout.write(`The index of the search cluster holds ${posts.toLocaleString('en-US')} posts.\n`);
    return true;
  } finally {
    await index.close();
  }
}

/** Says what the search cluster holds and how it is; false where lists cannot be answered. */
export async function showIndex(database: Database, config: Config): Promise<boolean> {
  const opened = await open(database, config);
  if (!opened) return false;
  const { index, store } = opened;
  try {
    const [{ posts, position }, live] = [await index.summary(), await store.countLive()];
    if (position === null) {
      process.stdout.write(
        'The search cluster holds no index of this archive: a server builds it, or "amber index build".\n',
      );
      return false;
    }
    const behind = Math.max(0, Math.round(((await database.clock.measure()).getTime() - position.at) / 1_000));
    process.stdout.write(
      `The index holds ${posts.toLocaleString('en-US')} of ${live.toLocaleString('en-US')} posts; changes were followed up to ${behind} s ago.\n`,
    );
    if (index.trouble !== null) process.stdout.write(`The search cluster: ${index.trouble}.\n`);
    return true;
  } finally {
    await index.close();
  }
}

async function open(database: Database, config: Config) {
  if (!config.search) {
    process.stdout.write(NO_CLUSTER);
    return null;
  }
  const store = new PostStore(database.db, database.clock);
  const source = new PostsForIndex(database.db, new ReactionStore(database.db));
  const state = new ArchiveState(database.db);
  const { epoch } = await state.mark();
  const log = {
    info: () => {},
    error: (details: object, message: string) => process.stderr.write(`${message} ${JSON.stringify(details)}\n`),
  };
  const index = await openArchiveIndex({ config, epoch, worker: '', indexPath: undefined, source, store, log });
  const follower = new IndexFollower({
    index,
    store,
    source,
    state,
    clock: database.clock,
    log,
    lease: new Lease(database.db, 'index'),
    keeper: new Lease(database.db, 'index-keeper'),
    positions: new IndexPositions(database.db),
  });
  return { index, follower, store };
}
