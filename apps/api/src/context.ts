import { join } from 'node:path';
import pino, { type Logger } from 'pino';
import { ArchiveIndex } from './archive-index/archive-index.ts';
import { IndexFollower } from './archive-index/index-follower.ts';
import { ArchiveStore } from './archives/archive-store.ts';
import { ChallengeStore } from './auth/challenge-store.ts';
import { SessionStore } from './auth/session-store.ts';
import { SignedMessageStore } from './auth/signed-message-store.ts';
import { keptSecret, Tokens } from './auth/tokens.ts';
import { Chain } from './chain/chain.ts';
import type { Config } from './config.ts';
import { type Database, openDatabase } from './db/database.ts';
import { sweepRegularly } from './db/sweep.ts';
import { FeatureDesk } from './featuring/feature-desk.ts';
import { PaymentStore } from './featuring/payment-store.ts';
import { PaymentWatcher, type WatcherTiming } from './featuring/payment-watcher.ts';
import { PriceStore } from './featuring/price-store.ts';
import { RateLimits } from './http/rate-limits.ts';
import { ResponseCache } from './http/response-cache.ts';
import { AgentKeyStore } from './ingest/agent-key-store.ts';
import { LastLaunch } from './launches/last-launch.ts';
import { LaunchChain } from './launches/launch-chain.ts';
import { LaunchDesk } from './launches/launch-desk.ts';
import { LaunchStore } from './launches/launch-store.ts';
import { LAUNCH_TIMING, type LaunchTiming } from './launches/launch-token.ts';
import { LaunchWatcher, type LaunchWatcherTiming } from './launches/launch-watcher.ts';
import { OptOutStore } from './launches/opt-out-store.ts';
import { Turns } from './launches/turns.ts';
import { createReactionChanges } from './reactions/change-reaction.ts';
import { ReactionStore } from './reactions/reaction-store.ts';
import { UserStore } from './users/user-store.ts';

/** Everything a use case may need, built once. */
export interface Context {
  config: Config;
  log: Logger;
  /** Milliseconds since 1970. */
  now: () => number;
  database: Database;
  archives: ArchiveStore;
  agentKeys: AgentKeyStore;
  index: ArchiveIndex;
  follower: IndexFollower;
  responses: ResponseCache;
  challenges: ChallengeStore;
  sessions: SessionStore;
  signedMessages: SignedMessageStore;
  tokens: Tokens;
  users: UserStore;
  reactions: ReactionStore;
  reactionChanges: ReturnType<typeof createReactionChanges>;
  limits: RateLimits;
  /** Absent where no node is configured. */
  chain: Chain | null;
  prices: PriceStore;
  payments: PaymentStore;
  desk: FeatureDesk;
  watcher: PaymentWatcher | null;
  launches: LaunchStore;
  optOuts: OptOutStore;
  lastLaunch: LastLaunch;
  /** Absent where no node is configured. */
  launchChain: LaunchChain | null;
  launchDesk: LaunchDesk;
  launchTiming: LaunchTiming;
  launchTurns: Turns;
  launchWatcher: LaunchWatcher | null;
  close(): Promise<void>;
}

export interface ContextOverrides {
  databaseName?: string;
  indexPath?: string;
  now?: () => number;
  log?: Logger;
  watcher?: Partial<WatcherTiming>;
  launchTiming?: Partial<LaunchTiming>;
  launchWatcher?: Partial<LaunchWatcherTiming>;
}

/** Builds the context; `worker` is the built script of the index threads. The index is not followed yet. */
export async function createContext(
  config: Config,
  worker: URL | string,
  overrides: ContextOverrides = {},
): Promise<Context> {
  const log = overrides.log ?? pino({ level: config.logLevel, redact: ['req.headers.authorization'] });
  const now = overrides.now ?? Date.now;
  const database = await openDatabase(config.mongodbUri, overrides.databaseName);
  const { db } = database;
  const stopSweeping = sweepRegularly(db, now, (error) => log.error({ err: error }, 'sweeping failed'));
  const archives = new ArchiveStore(db, database.clock);
  // Two processes on one machine never share a port, nor therefore an index file.
  const path = overrides.indexPath ?? join(config.dataDir, 'index', `archive-${config.port}.sqlite`);
  const index = await ArchiveIndex.open({ path, worker });
  const follower = new IndexFollower(index, archives, log);
  const reactions = new ReactionStore(db);
  const responses = new ResponseCache({ version: () => index.version, now });
  const chain = config.solanaRpcUrls.length > 0 ? new Chain(config.solanaRpcUrls) : null;
  const prices = new PriceStore(db);
  const payments = new PaymentStore(db);
  const desk = new FeatureDesk({ config, chain, prices, payments, log, now: () => database.clock.now() });
  const watched = { archives, follower, payments, prices, database, desk, log };
  const watcher = chain && new PaymentWatcher({ ...watched, chain }, overrides.watcher);
  const launches = new LaunchStore(db);
  const lastLaunch = new LastLaunch({ launches, archives, responses, log });
  const launchChain = chain && new LaunchChain(config.solanaRpcUrls);
  const launchDesk = new LaunchDesk({ config, chain: launchChain, log });
  const settled = { archives, follower, responses, launches, launchDesk, lastLaunch, database, log };
  const launchWatcher = launchChain && new LaunchWatcher({ ...settled, chain: launchChain }, overrides.launchWatcher);
  return {
    config,
    log,
    now,
    database,
    archives,
    agentKeys: new AgentKeyStore(db),
    index,
    follower,
    responses,
    challenges: new ChallengeStore(db),
    sessions: new SessionStore(db),
    signedMessages: new SignedMessageStore(db),
    tokens: new Tokens({
      secret: config.jwtSecret ?? keptSecret(config.dataDir),
      issuer: config.publicUrl.origin,
      now,
    }),
    users: new UserStore(db),
    reactions,
    reactionChanges: createReactionChanges({ archives, reactions, responses, now }),
    limits: new RateLimits({ db, client: database.client, isOn: config.rateLimits }),
    chain,
    prices,
    payments,
    desk,
    watcher,
    launches,
    optOuts: new OptOutStore(db),
    lastLaunch,
    launchChain,
    launchDesk,
    launchTiming: { ...LAUNCH_TIMING, ...overrides.launchTiming },
    launchTurns: new Turns(),
    launchWatcher,
    async close() {
      desk.close();
      launchDesk.close();
      await watcher?.stop();
      await launchWatcher?.stop();
      await lastLaunch.stop();
      stopSweeping();
      await follower.stop();
      await index.close();
      await database.close();
    },
  };
}
