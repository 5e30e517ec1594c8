import type { ArchiveIndex } from '@archive/search';
import type { Base } from '../base.ts';
import { ArchiveState } from '../db/archive-state.ts';
import { ResponseCache } from '../http/response-cache.ts';
import { type Asker, QuestionQueue } from '../question-queue.ts';
import type { ReactionCounter } from './answer-posts.ts';
import { ArrivedPostStore } from './arrived-post-store.ts';
import { ExportSlots } from './export-slots.ts';
import { followIndex } from './follow-index.ts';
import type { IndexFollower } from './index-follower.ts';
import { openArchiveIndex } from './open-index.ts';
import { PostChanges } from './post-changes.ts';
import { PostStore } from './post-store.ts';
import { PostsForIndex } from './posts-for-index.ts';
import { SealedPostStore } from './sealed-post-store.ts';

export interface Posts {
  store: PostStore;
  arrived: ArrivedPostStore;
  sealed: SealedPostStore;
  changes: PostChanges;
  index: ArchiveIndex<Asker>;
  follower: IndexFollower;
  responses: ResponseCache;
  exports: ExportSlots;
  /** Turns for reading large pages: the database reads one at a time. */
  largePages: QuestionQueue<null>;
}

interface PostOptions {
  reactions: ReactionCounter['store'];
  /** Path of the built script of the index threads. */
  worker: URL | string;
  indexPath?: string | undefined;
  /** Duration of one pass that compares every post with the index. */
  walkPassMs?: number | undefined;
  /** Most changes of one look. */
  lookLimit?: number | undefined;
}

/** Creates the feature. The follower of the index is not started yet. */
export async function createPosts(
  { background, config, database, ledger, log }: Base,
  { reactions, worker, indexPath, walkPassMs, lookLimit }: PostOptions,
): Promise<Posts> {
  const changes = new PostChanges();
  const store = new PostStore(database.db, database.clock, changes, ledger);
  const state = new ArchiveState(database.db);
  const { epoch } = await state.mark();
  const source = new PostsForIndex(database.db, reactions);
  const index = await openArchiveIndex({ config, epoch, worker, indexPath, source, store, log });
  // The caller adds the follower, since building the index may take minutes and nothing else need wait for it.
  background.add({ stop: () => index.close() });
  const follower = followIndex(database, { index, store, source, state, log, passMs: walkPassMs, lookLimit });
  const responses = new ResponseCache({ version: () => index.version });
  changes.listen((change) => follower.take(change));
  changes.listen(({ kind }) => {
    if (kind !== 'alias') responses.forget();
  });
  return {
    store,
    arrived: new ArrivedPostStore(database.db, changes),
    sealed: new SealedPostStore(database.db, database.clock, changes, ledger),
    changes,
    index,
    follower,
    responses,
    exports: new ExportSlots(),
    largePages: new QuestionQueue([null]),
  };
}
