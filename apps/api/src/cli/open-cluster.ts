import type { Config } from '../config.ts';
import { ArchiveState } from '../db/archive-state.ts';
import type { Database } from '../db/database.ts';
import { openArchiveIndex } from '../posts/open-index.ts';
import { PostStore } from '../posts/post-store.ts';
import { PostsForIndex } from '../posts/posts-for-index.ts';
import { ReactionStore } from '../reactions/reaction-store.ts';

/** Opens the index of the search cluster and its sources. @throws StartRefusal where it is another archive's. */
export async function openCluster(database: Database, config: Config) {
  const store = new PostStore(database.db, database.clock);
  const source = new PostsForIndex(database.db, new ReactionStore(database.db));
  const state = new ArchiveState(database.db);
  const { epoch } = await state.mark();
  const log = {
    info: () => {},
    error: (details: object, message: string) => process.stderr.write(`${message} ${JSON.stringify(details)}\n`),
  };
  const index = await openArchiveIndex({ config, epoch, worker: '', indexPath: undefined, source, store, log });
  return { index, store, source, state, log };
}
