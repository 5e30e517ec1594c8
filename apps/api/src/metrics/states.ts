import { access, constants, statfs } from 'node:fs/promises';
import { SAVE_STATES } from '@archive/contracts';
import { Counter, Gauge, type Registry } from 'prom-client';
import { AgentStore, agentPlatforms } from '../agent/agent-store.ts';
import type { Base } from '../base.ts';
import { ArchiveState } from '../db/archive-state.ts';
import type { Featuring } from '../featuring/featuring.ts';
import { LAUNCHES_UNDER_WAY } from '../launches/launch-document.ts';
import type { Launches } from '../launches/launches.ts';
import { ledgerFolder } from '../ledger/ledger.ts';
import type { Posts } from '../posts/posts.ts';
import type { Saves } from '../saves/saves.ts';
import { withTimeout } from '../with-timeout.ts';

export type StateNeeds = Base & {
  posts: Posts;
  saves: Pick<Saves, 'store'>;
  featuring: Pick<Featuring, 'payments'>;
  launches: Pick<Launches, 'store' | 'offer'>;
};

/** Milliseconds for which a read serves further scrapes. */
const KEPT_MS = 5_000;
/** Factor by which reads from external services are kept longer. */
const DEAR = 6;
const PART_MS = 2_000;
/** Counts stop at this number. */
const COUNTED = 10_000;

type Sample = readonly [name: keyof typeof GAUGES, value: number, labels?: Record<string, string>];

interface Part {
  isDear?: true;
  read(): Promise<Sample[]>;
}

const GAUGES = {
  database_up: { help: 'Whether the database answers.', labels: [] },
  database_members_away: { help: 'Members of the replica set that do not answer this process.', labels: [] },
  backup_age_seconds: {
    help: 'Since the last backup was whole and copied; before the first one, since the start.',
    labels: [],
  },
  index_ready: { help: 'Whether the archive index is whole.', labels: [] },
  index_behind_seconds: { help: 'Since when changes by other processes may not be shown yet.', labels: [] },
  search_refused: { help: 'Posts that the search cluster takes under no circumstances.', labels: [] },
  search_troubled: { help: 'Whether something is wrong with the search cluster; /ready says what.', labels: [] },
  index_mended: { help: 'Posts that were found different in the index and mended, since the start.', labels: [] },
  disk_free_bytes: { help: 'Left where DATA_DIR lies.', labels: [] },
  disk_floor_bytes: { help: 'What should be left there: DISK_FLOOR.', labels: [] },
  ledger_writable: { help: 'Whether acts can be written to the ledger.', labels: [] },
  saves: { help: 'Requests to save by state, ten thousand at most of each.', labels: ['state'] },
  saves_oldest_seconds: { help: 'Age of the oldest request that is not done, 0 where there is none.', labels: [] },
  payments: {
    help: 'Payments that are not at rest, by state; reported: the chain has not told yet.',
    labels: ['state'],
  },
  payments_oldest_seconds: { help: 'Age of the oldest payment that is not applied or told of.', labels: [] },
  launches: { help: 'Launches under way by state.', labels: ['state'] },
  launches_oldest_seconds: { help: 'Age of the oldest launch under way, 0 where there is none.', labels: [] },
  launch_key_lamports: { help: 'What the launch key holds.', labels: [] },
  launch_floor_lamports: { help: 'Below which nothing is launched: LAUNCH_BALANCE_FLOOR.', labels: [] },
  agent_away_seconds: { help: 'Since when no agent reads a platform that has an account.', labels: ['platform'] },
  agent_reads_left: { help: 'Of the day’s budget.', labels: ['platform'] },
  agent_replies_left: { help: 'Of the day’s budget.', labels: ['platform'] },
  media_missing: { help: 'Posts of which pictures or videos could not be fetched yet.', labels: [] },
} as const;

/** Reads the state of the stores for each scrape. A part that fails is left out, and the failure is counted. */
export class States {
  readonly #keptMs: number;
  readonly #partMs: number;
  readonly #parts: Record<string, Part>;
  readonly #kept = new Map<string, { until: number; samples: Promise<Sample[]> }>();
  readonly #gauges: Record<keyof typeof GAUGES, Gauge>;
  readonly #failures: Counter;

  /** `keptMs` is the lifetime of a read; `partMs` is the time limit of each part. */
  constructor(context: StateNeeds, registry: Registry, prefix: string, { keptMs = KEPT_MS, partMs = PART_MS } = {}) {
    this.#keptMs = keptMs;
    this.#partMs = partMs;
    this.#parts = partsOf(context, partMs);
    const gauge = ([name, { help, labels }]: [string, { help: string; labels: readonly string[] }]) => [
      name,
      new Gauge({ name: `${prefix}_${name}`, help, labelNames: [...labels], registers: [registry] }),
    ];
    this.#gauges = Object.fromEntries(Object.entries(GAUGES).map(gauge));
    this.#failures = new Counter({
      name: `${prefix}_scrape_failures_total`,
      help: 'Parts that were left out of a scrape, by part.',
      labelNames: ['part'],
      registers: [registry],
    });
    for (const part of Object.keys(this.#parts)) this.#failures.inc({ part }, 0);
  }

  async read(): Promise<void> {
    const parts = Object.entries(this.#parts).map(async ([name, part]) => {
      const samples = await this.#samplesOf(name, part).catch(() => null);
      if (!samples) this.#failures.inc({ part: name });
      return samples ?? [];
    });
    const all = (await Promise.all(parts)).flat();
    for (const gauge of Object.values(this.#gauges)) {
      gauge.reset();
      // After a reset, a gauge without labels would show 0. An unknown value must be absent.
      gauge.remove({});
    }
    for (const [name, value, labels = {}] of all) this.#gauges[name].set(labels, value);
  }

  #samplesOf(name: string, { read, isDear }: Part): Promise<Sample[]> {
    const kept = this.#kept.get(name);
    if (kept && kept.until > performance.now()) return kept.samples;
    const samples = withTimeout(read(), this.#partMs, () => new Error(`${name} was not read in time`));
    const keptMs = isDear ? this.#keptMs * DEAR : this.#keptMs;
    this.#kept.set(name, { until: performance.now() + keptMs, samples });
    return samples;
  }
}

function partsOf(context: StateNeeds, partMs: number): Record<string, Part> {
  const { config, database, chain, posts, saves, featuring, launches } = context;
  const agents = new AgentStore(database.db);
  const beganAt = database.clock.now();
  const ageOf = (at: Date | undefined) =>
    at ? Math.max(0, (database.clock.now().getTime() - at.getTime()) / 1_000) : 0;
  const { readsPerDay, repliesPerDay } = config.sources;
  return {
    database: {
      read: async () => {
        const ping = database.db.command({ ping: 1 }, { timeoutMS: partMs / 2 });
        const answered = withTimeout(ping, partMs / 2, () => new Error('no answer'));
        const isUp = await answered.then(() => 1).catch(() => 0);
        return [
          ['database_up', isUp],
          ...(database.isReplicaSet ? [['database_members_away', database.membersAway()] as const] : []),
        ];
      },
    },
    backup: {
      read: async () => [['backup_age_seconds', ageOf((await new ArchiveState(database.db).backedUpAt()) ?? beganAt)]],
    },
    index: {
      read: async () => [
        ['index_ready', posts.follower.progress.phase === 'ready' ? 1 : 0],
        ['index_behind_seconds', posts.follower.behindMs / 1_000],
        ['index_mended', posts.follower.mended],
        ['search_troubled', posts.follower.isAway || posts.index.trouble !== null ? 1 : 0],
        ['search_refused', posts.index.refused],
      ],
    },
    disk: {
      read: async () => {
        const { bavail, bsize } = await statfs(config.dataDir);
        return [
          ['disk_free_bytes', bavail * bsize],
          ['disk_floor_bytes', config.diskFloorBytes],
        ];
      },
    },
    ledger: {
      read: async () => {
        const folder = `${ledgerFolder(config.dataDir)}/`;
        const isWritable = access(folder, constants.W_OK | constants.X_OK)
          .then(() => 1)
          .catch(() => 0);
        return [['ledger_writable', await isWritable]];
      },
    },
    saves: {
      read: async () => {
        const count = async (state: (typeof SAVE_STATES)[number]): Promise<Sample> => [
          'saves',
          await saves.store.count({ state }, COUNTED),
          { state },
        ];
        const oldest = await saves.store.oldestUndone();
        return [...(await Promise.all(SAVE_STATES.map(count))), ['saves_oldest_seconds', ageOf(oldest?.createdAt)]];
      },
    },
    payments: {
      read: async () => {
        const { payments, reports } = featuring.payments;
        const isWaiting = { isExpired: false };
        const limit = { limit: COUNTED };
        const [confirmed, credits, reported, payment, report] = await Promise.all([
          payments.countDocuments({ state: 'confirmed' }, limit),
          payments.countDocuments({ state: 'credit', use: null }, limit),
          reports.countDocuments(isWaiting, limit),
          payments.findOne({ state: 'confirmed' }, { sort: { createdAt: 1 } }),
          reports.findOne(isWaiting, { sort: { reportedAt: 1 } }),
        ]);
        return [
          ['payments', confirmed, { state: 'confirmed' }],
          ['payments', credits, { state: 'credit' }],
          ['payments', reported, { state: 'reported' }],
          ['payments_oldest_seconds', Math.max(ageOf(payment?.createdAt), ageOf(report?.reportedAt))],
        ];
      },
    },
    launches: {
      read: async () => {
        const { launches: kept } = launches.store;
        const count = async (state: (typeof LAUNCHES_UNDER_WAY)[number]): Promise<Sample> => [
          'launches',
          await kept.countDocuments({ state }, { limit: COUNTED }),
          { state },
        ];
        const oldest = await kept.findOne({ state: { $in: [...LAUNCHES_UNDER_WAY] } }, { sort: { createdAt: 1 } });
        return [
          ...(await Promise.all(LAUNCHES_UNDER_WAY.map(count))),
          ['launches_oldest_seconds', ageOf(oldest?.createdAt)],
        ];
      },
    },
    launchKey: {
      isDear: true,
      read: async () => {
        const key = launches.offer.current?.key;
        if (!key || !chain) return [];
        return [
          ['launch_key_lamports', Number(await chain.balance(key.publicKey.toBase58()))],
          ['launch_floor_lamports', Number(config.launch.balanceFloor)],
        ];
      },
    },
    agents: {
      read: async () => {
        const each = agentPlatforms(config.sources).map(async (platform): Promise<Sample[]> => {
          const now = database.clock.now();
          const [spent, away] = await Promise.all([agents.spent(platform, now), agents.away(platform, now)]);
          return [
            ['agent_away_seconds', away ? ageOf(away.since ?? beganAt) : 0, { platform }],
            ['agent_reads_left', Math.max(0, readsPerDay - spent.reads), { platform }],
            ['agent_replies_left', Math.max(0, repliesPerDay - spent.replies), { platform }],
          ];
        });
        return (await Promise.all(each)).flat();
      },
    },
    media: { read: async () => [['media_missing', await posts.arrived.countMissingMedia(COUNTED)]] },
  };
}
