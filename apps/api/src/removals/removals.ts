import { Loop } from '../background/loop.ts';
import type { Base } from '../base.ts';
import type { Launches } from '../launches/launches.ts';
import type { Posts } from '../posts/posts.ts';
import type { RemovalDocument } from './removal-store.ts';
import { RemovalStore } from './removal-store.ts';
import { type RemovalNeeds, runRemoval } from './remove-posts.ts';
import { SelectedPostStore } from './selected-post-store.ts';

const LOOK_MS = 60_000;

export interface Removals {
  store: RemovalStore;
  selected: SelectedPostStore;
  /** Runs a removal beside the requests. Resolves with its end. */
  run(removal: RemovalDocument): Promise<RemovalDocument>;
}

/** Removals of many posts. The process that confirmed a removal runs it; if it dies, another one continues. */
export function createRemovals(base: Base, { posts, launches }: { posts: Posts; launches: Launches }): Removals {
  const { background, database, log } = base;
  const removals = { store: new RemovalStore(database.db), selected: new SelectedPostStore(database.db) };
  const context: RemovalNeeds = { ...base, posts, launches, removals };
  const running = new Set<Promise<unknown>>();
  const run = (removal: RemovalDocument) => {
    const work = runRemoval(context, removal).then((ended) => ended.removal);
    const settled = work
      .catch((error) =>
        log.error({ err: error, removal: removal._id }, 'a removal was broken off; it is taken up again'),
      )
      .finally(() => running.delete(settled));
    running.add(settled);
    return work;
  };
  const loop = new Loop({
    pauseMs: LOOK_MS,
    work: async () => {
      for (let left = await removals.store.resume(); left; left = await removals.store.resume()) await run(left);
    },
    onFailure: (error) => log.error({ err: error }, 'looking for removals that were left failed'),
  });
  background.add({
    start: () => loop.start(),
    stop: async () => {
      await loop.stop();
      await Promise.all(running);
    },
  });
  return { ...removals, run };
}
