import type { Base } from '../base.ts';
import type { Posts } from '../posts/posts.ts';
import { forgetWords } from './forget-words.ts';
import { HoldingCheck } from './holding-check.ts';
import { KeyedQueue } from './keyed-queue.ts';
import { LastLaunch } from './last-launch.ts';
import { openLaunching } from './launch-offer.ts';
import { LaunchStore } from './launch-store.ts';
import { LaunchWatcher, type LaunchWatcherTiming } from './launch-watcher.ts';
import type { Launches, LaunchTiming } from './launches.ts';
import { OptOutStore } from './opt-out-store.ts';
import { TokenPictures } from './picture/token-pictures.ts';

export type WatchedLaunches = Launches & {
  /** Null if no node is configured. */
  watcher: LaunchWatcher | null;
};

const TIMING: LaunchTiming = { waitMs: 6_000, pollMs: 250, resendMs: 2_000 };

export function createLaunches(
  base: Base,
  posts: Posts,
  overrides: { timing?: Partial<LaunchTiming> | undefined; watcher?: Partial<LaunchWatcherTiming> | undefined },
): WatchedLaunches {
  const { background, chain, config, database, ledger, log } = base;
  const store = new LaunchStore(database.db);
  const launches: Launches = {
    store,
    optOuts: new OptOutStore(database.db, ledger),
    last: new LastLaunch({ launches: store, posts, log }),
    offer: openLaunching(base),
    holdings: new HoldingCheck(),
    timing: { ...TIMING, ...overrides.timing },
    queue: new KeyedQueue(),
    pictures: new TokenPictures(),
  };
  const watcher = chain && new LaunchWatcher({ posts, launches, config, database, log, chain }, overrides.watcher);
  posts.changes.listen(async ({ kind, ids }) => {
    if (kind === 'removed') await forgetWords({ store, log }, ids);
    if (kind === 'launched' || kind === 'removed') await launches.last.refresh();
  });
  background.add(launches.offer, launches.last, ...(watcher ? [watcher] : []));
  return { ...launches, watcher };
}
