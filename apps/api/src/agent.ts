import type { Logger } from 'pino';
import { AgentStore } from './agent/agent-store.ts';
import { DailySpending } from './agent/daily-spending.ts';
import { BlueskyFollower } from './agent/follow-bluesky.ts';
import { HintStore } from './agent/hint-store.ts';
import { PlatformAgent } from './agent/platform-agent.ts';
import { Audit } from './audit/audit.ts';
import { createAuthors } from './authors/authors.ts';
import { Background } from './background/background.ts';
import { createCollections } from './collections/collections.ts';
import type { Config } from './config.ts';
import { openDatabase } from './db/database.ts';
import { forgetWords } from './launches/forget-words.ts';
import { LaunchStore } from './launches/launch-store.ts';
import { Ledger, ledgerFolder } from './ledger/ledger.ts';
import { LedgerFiles } from './ledger/ledger-files.ts';
import { createLog } from './log.ts';
import { createMedia } from './media/create-media.ts';
import { Outbound } from './outbound/outbound.ts';
import { ArrivedPostStore } from './posts/arrived-post-store.ts';
import { FollowedPostStore } from './posts/followed-post-store.ts';
import { PostChanges } from './posts/post-changes.ts';
import { PostStore } from './posts/post-store.ts';
import { SealedPostStore } from './posts/sealed-post-store.ts';
import { CaptureStore } from './saves/capture-store.ts';
import { SaveStore } from './saves/save-store.ts';
import { SaveWorker } from './saves/save-worker.ts';
import type { Account } from './sources/account.ts';
import { BlueskyAccount } from './sources/bluesky/bluesky-account.ts';
import { Jetstream } from './sources/bluesky/jetstream.ts';
import { createSources, type Sources } from './sources/sources.ts';
import { XAccount } from './sources/x/x-account.ts';

export interface Agent {
  log: Logger;
  /** Handles on the agent's platforms. */
  handles: string[];
  start(): Promise<void>;
  /** Does everything that is due now, without `start`. */
  runUntilEmpty(): Promise<void>;
  stop(): Promise<void>;
}

interface Overrides {
  databaseName?: string;
  log?: Logger;
  /** Least time in milliseconds between two reads of the mentions on X. */
  xPollMs?: number;
  /** Least time in milliseconds between two reads of the followed authors on Bluesky. */
  authorsMs?: number;
}

/** The accounts that the settings name. */
function accountsOf(
  { sources, agentHandle }: Config,
  { xClient }: Sources,
  { log, pollMs }: { log: Logger; pollMs: number | undefined },
): Account[] {
  const { bluesky, x } = sources;
  if (xClient && !x.isAgentAllowed) log.error('X_EXPORT is not set: without it no agent is at work on X in production');
  return [
    ...(bluesky.account ? [new BlueskyAccount(bluesky.account)] : []),
    ...(xClient && x.isAgentAllowed ? [new XAccount(xClient, { handle: agentHandle, pollMs })] : []),
  ];
}

/**
 * The agent as a separate process: it reads mentions, saves posts and replies. Any number of agents may run on one
 * database; one is active for each platform. The API processes follow its changes.
 */
export async function createAgent(
  config: Config,
  { databaseName, log: given, xPollMs, authorsMs }: Overrides = {},
): Promise<Agent> {
  const log = given ?? createLog(config.logLevel);
  const database = await openDatabase(config.mongodbUri, databaseName);
  const background = new Background();
  const ledger = await Ledger.open(ledgerFolder(config.dataDir), database.clock, new LedgerFiles(database.db).register);
  const audit = new Audit({ config, database, ledger, log });
  background.add({ stop: () => database.close() }, { stop: () => ledger.close() }, audit);
  const now = () => database.clock.now().getTime();
  const outbound = new Outbound({ localHosts: config.sourceLocalHosts });
  const base = { config, log, now, database, ledger, audit, chain: null, outbound, background };
  const changes = new PostChanges();
  const posts = {
    store: new PostStore(database.db, database.clock, changes, ledger),
    arrived: new ArrivedPostStore(database.db, changes),
    sealed: new SealedPostStore(database.db, database.clock, changes, ledger),
    followed: new FollowedPostStore(database.db),
  };
  const store = new SaveStore(database);
  const launches = new LaunchStore(database.db);
  // A removal deletes the post's text from its launch too.
  changes.listen(({ kind, ids }) => (kind === 'removed' ? forgetWords({ store: launches, log }, ids) : undefined));
  const media = createMedia(base);
  const captures = new CaptureStore(database.db);
  const sources = createSources(base, new DailySpending(base, 'x'));
  const features = {
    ...base,
    media,
    captures,
    posts,
    authors: createAuthors(base),
    collections: createCollections(base),
    sources,
  };
  const worker = new SaveWorker({ ...features, saves: { store } });
  const [agents, hints] = [new AgentStore(database.db), new HintStore(database.db)];
  const needs = { ...features, saves: { store, worker }, agents, hints };
  const accounts = accountsOf(config, sources, { log, pollMs: xPollMs });
  background.add(worker, ...accounts.map((account) => new PlatformAgent(needs, account)));
  const { jetstream } = config.sources.bluesky;
  if (jetstream) {
    const openSocket: Outbound['openSocket'] = (address, limits) => outbound.openSocket(address, limits);
    background.add(new BlueskyFollower(needs, new Jetstream({ url: jetstream, openSocket, log, now }), authorsMs));
  }
  return {
    log,
    handles: accounts.map(({ platform, handle }) => `${handle} (${platform})`),
    start: () => background.start(),
    runUntilEmpty: () => background.runUntilEmpty(),
    stop: () => background.stop(),
  };
}
