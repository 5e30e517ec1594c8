import { pathToFileURL } from 'node:url';
import type { Logger } from 'pino';
import { type Accounts, createAccounts } from './accounts/accounts.ts';
import { DailySpending } from './agent/daily-spending.ts';
import { Audit } from './audit/audit.ts';
import { type Authors, createAuthors } from './authors/authors.ts';
import { Background } from './background/background.ts';
import type { Base } from './base.ts';
import { Chain } from './chain/chain.ts';
import { type Collections, createCollections } from './collections/collections.ts';
import type { Config } from './config.ts';
import { openDatabase } from './db/database.ts';
import { Sweeper } from './db/sweep.ts';
import { createFeaturing, type WatchedFeaturing } from './featuring/create-featuring.ts';
import type { WatcherTiming } from './featuring/payment-watcher.ts';
import { createFeeds, type Feeds } from './feeds/feeds.ts';
import { createLaunches, type WatchedLaunches } from './launches/create-launches.ts';
import type { LaunchWatcherTiming } from './launches/launch-watcher.ts';
import type { LaunchTiming } from './launches/launches.ts';
import { Ledger, ledgerFolder } from './ledger/ledger.ts';
import { LedgerFiles } from './ledger/ledger-files.ts';
import { createLive, type Live } from './live/live.ts';
import { createLog } from './log.ts';
import { createMedia, type SweptMedia } from './media/create-media.ts';
import { createNotices, type Notices } from './notices/notices.ts';
import { createOperators, type Operators } from './operators/operators.ts';
import { Outbound } from './outbound/outbound.ts';
import { createPages, type Pages } from './pages/pages.ts';
import { createPeople, type People } from './people/people.ts';
import { createPosts, type Posts } from './posts/posts.ts';
import { ReactionStore } from './reactions/reaction-store.ts';
import { createReactions, type Reactions } from './reactions/reactions.ts';
import { createRemovals, type Removals } from './removals/removals.ts';
import { createReports, type Reports } from './reports/reports.ts';
import { createSaves, type Saves } from './saves/saves.ts';
import { createSearches, type Searches } from './searches/searches.ts';
import { createSources, type Sources } from './sources/sources.ts';

/** All features, built once. Each use case declares the part it needs. */
export interface Context extends Base {
  media: SweptMedia;
  posts: Posts;
  authors: Authors;
  accounts: Accounts;
  operators: Operators;
  sources: Sources;
  saves: Saves;
  live: Live;
  reactions: Reactions;
  searches: Searches;
  collections: Collections;
  featuring: WatchedFeaturing;
  launches: WatchedLaunches;
  removals: Removals;
  feeds: Feeds;
  pages: Pages;
  notices: Notices;
  people: People;
  reports: Reports;
}

export interface ContextOverrides {
  databaseName?: string;
  indexPath?: string;
  walkPassMs?: number;
  lookLimit?: number;
  now?: () => number;
  log?: Logger;
  watcher?: Partial<WatcherTiming>;
  launchTiming?: Partial<LaunchTiming>;
  launchWatcher?: Partial<LaunchWatcherTiming>;
}

/**
 * Builds the context. `worker` is the built script of the index threads; the script of the pictures is in the same
 * folder.
 */
export async function createContext(
  config: Config,
  worker: URL | string,
  overrides: ContextOverrides = {},
): Promise<Context> {
  const log = overrides.log ?? createLog(config.logLevel);
  const database = await openDatabase(config.mongodbUri, overrides.databaseName);
  const now = overrides.now ?? (() => database.clock.now().getTime());
  const chain = config.solanaRpcUrls.length > 0 ? new Chain(config.solanaRpcUrls) : null;
  const background = new Background();
  const ledger = await Ledger.open(ledgerFolder(config.dataDir), database.clock, new LedgerFiles(database.db).register);
  const audit = new Audit({ config, database, ledger, log });
  background.add(
    { stop: () => database.close() },
    { stop: () => ledger.close() },
    audit,
    new Sweeper(database.db, log),
  );
  const outbound = new Outbound({ localHosts: config.sourceLocalHosts });
  const base: Base = { config, log, now, database, ledger, audit, chain, outbound, background };
  const media = createMedia(base);
  const posts = await createPosts(base, { worker, reactions: new ReactionStore(database.db), ...overrides });
  const operators = createOperators(base);
  const featuring = createFeaturing(base, { posts, operators }, overrides.watcher);
  const launches = createLaunches(base, posts, { timing: overrides.launchTiming, watcher: overrides.launchWatcher });
  const authors = createAuthors(base);
  const accounts = createAccounts(base);
  const reactions = createReactions(base, posts, operators);
  const sources = createSources(base, new DailySpending(base, 'x'));
  const collections = createCollections(base);
  const saves = createSaves(base, { collections, media, posts, authors, sources });
  const live = createLive(base, { posts });
  const removals = createRemovals(base, { posts, launches });
  const feeds = createFeeds(base, { posts });
  const pages = createPages(base, { posts, media, script: beside(worker, 'draw.js') });
  const searches = createSearches(base, posts);
  const notices = createNotices({ ...base, posts, accounts, searches, saves, featuring, launches });
  const people = createPeople({ ...base, posts, accounts });
  const reports = createReports(base);
  // Added last, because later services would wait until the index is built.
  background.add(posts.follower);
  return {
    ...base,
    searches,
    collections,
    media,
    posts,
    authors,
    accounts,
    operators,
    sources,
    saves,
    live,
    reactions,
    featuring,
    launches,
    removals,
    feeds,
    pages,
    notices,
    people,
    reports,
  };
}

/** Another built script in the same folder. */
function beside(script: URL | string, name: string): URL {
  return new URL(name, typeof script === 'string' ? pathToFileURL(script) : script);
}
