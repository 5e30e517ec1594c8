import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { ENDPOINTS, type EndpointName, LEGACY_PATHS, WEB_ROUTES } from '@archive/contracts';
import { Counter, Gauge, type Registry } from 'prom-client';
import { listen } from '../channels.ts';

const NANOSECONDS = 1e9;
/** Each sample wakes the event loop: at 20 ms, that took a millisecond of each second. */
const LOOP_RESOLUTION_MS = 100;

/** Node's event for a sent answer. The app notes when its request came; answers without that are not counted. */
interface Answered {
  request: IncomingMessage & { route?: { path?: unknown } };
  response: ServerResponse & { locals?: { startedAt?: number } };
}

interface Traffic {
  /** Number of answers by status. */
  statuses: Map<number, number>;
  seconds: number;
}

/** Route patterns by mounted path. */
const PATTERNS: ReadonlyMap<string, string> = new Map([
  ...(Object.keys(ENDPOINTS) as EndpointName[]).flatMap((name) =>
    [ENDPOINTS[name].path, ...(LEGACY_PATHS[name] ?? [])].map((path) => [path, ENDPOINTS[name].path] as const),
  ),
  ...WEB_ROUTES.map((route) => [route, route] as const),
]);
/** Series that begin at zero, since the first value of a series is missing from its rate. */
const FIRST = {
  refusals: ['internal_error', 'ledger_unavailable', 'overloaded'],
  pushes: ['taken', 'gone', 'refused', 'later'],
  outcomes: ['answered', 'failed'],
  budgets: ['request', 'share', 'all'],
  methods: [
    'getAccountInfo',
    'getBalance',
    'getBlockHeight',
    'getEpochInfo',
    'getGenesisHash',
    'getLatestBlockhash',
    'getMinimumBalanceForRentExemption',
    'getMultipleAccounts',
    'getSignaturesForAddress',
    'getTransaction',
    'minimumLedgerSlot',
    'requestAirdrop',
    'sendTransaction',
    'simulateTransaction',
  ],
} as const;
/** Label for files, pages without a route, and answers from the cache. */
const OTHERS = 'other';

/** Counts events as cheaply as possible; only a scrape turns them into metrics. */
export class Flows {
  readonly #traffic = new Map<string, Traffic>();
  readonly #rpc = new Map<string, number>();
  readonly #refusals = new Map<string, number>();
  readonly #pushes = new Map<string, number>();
  readonly #mediaRefused = new Map<string, number>();
  #waits = 0;
  #waitedMs = 0;
  readonly #loop: IntervalHistogram = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  #stops: (() => void)[] = [];

  start(): void {
    this.#loop.enable();
    // Not the channel for started requests: listening to it took 3 % of all time.
    subscribe('http.server.response.finish', this.#count);
    this.#stops = [
      () => this.#loop.disable(),
      () => unsubscribe('http.server.response.finish', this.#count),
      listen('rpc', ({ method, outcome }) => add(this.#rpc, `${method} ${outcome}`)),
      listen('refusal', ({ code }) => add(this.#refusals, code)),
      listen('push', ({ outcome }) => add(this.#pushes, outcome)),
      listen('mediaRefused', ({ budget, bytes }) => add(this.#mediaRefused, budget, bytes)),
      listen('wait', ({ ms }) => {
        this.#waits++;
        this.#waitedMs += ms;
      }),
    ];
  }

  stop(): void {
    for (const stop of this.#stops) stop();
    this.#stops = [];
  }

  readonly #count = (message: unknown): void => {
    const { request, response } = message as Answered;
    const startedAt = response.locals?.startedAt;
    if (startedAt === undefined) return;
    const path = request.route?.path;
    const route = (typeof path === 'string' && PATTERNS.get(path)) || OTHERS;
    let traffic = this.#traffic.get(route);
    if (!traffic) {
      traffic = { statuses: new Map(), seconds: 0 };
      this.#traffic.set(route, traffic);
    }
    traffic.statuses.set(response.statusCode, (traffic.statuses.get(response.statusCode) ?? 0) + 1);
    traffic.seconds += (performance.now() - startedAt) / 1_000;
  };

  register(registry: Registry, prefix: string): void {
    const counter = (name: string, help: string, labelNames: string[], fill: (count: Counter) => void) =>
      new Counter({
        name: `${prefix}_${name}`,
        help,
        labelNames,
        registers: [registry],
        collect() {
          this.reset();
          fill(this);
        },
      });
    counter(
      'requests_total',
      'Requests that were answered, by route pattern and status.',
      ['route', 'status'],
      (count) => {
        for (const [route, { statuses }] of this.#traffic)
          for (const [status, answered] of statuses) count.inc({ route, status }, answered);
      },
    );
    counter('request_seconds_total', 'From a request’s head to the end of its answer.', ['route'], (count) => {
      for (const [route, { seconds }] of this.#traffic) count.inc({ route }, seconds);
    });
    counter('refusals_total', 'Calls that were refused or failed, by code.', ['code'], (count) => {
      for (const code of FIRST.refusals) count.inc({ code }, 0);
      for (const [code, refused] of this.#refusals) count.inc({ code }, refused);
    });
    counter('rpc_calls_total', 'Questions to Solana nodes, by method and outcome.', ['method', 'outcome'], (count) => {
      for (const method of FIRST.methods) for (const outcome of FIRST.outcomes) count.inc({ method, outcome }, 0);
      for (const [key, asked] of this.#rpc) {
        const [method = '', outcome = ''] = key.split(' ');
        count.inc({ method, outcome }, asked);
      }
    });
    counter('pushes_total', 'Messages to browsers, by what became of them.', ['outcome'], (count) => {
      for (const outcome of FIRST.pushes) count.inc({ outcome }, 0);
      for (const [outcome, sent] of this.#pushes) count.inc({ outcome }, sent);
    });
    counter(
      'media_refused_bytes_total',
      'Bytes of media that were asked for and not fetched, by the budget that was spent: of a request, of an asker in a day, or of the day.',
      ['budget'],
      (count) => {
        for (const budget of FIRST.budgets) count.inc({ budget }, 0);
        for (const [budget, bytes] of this.#mediaRefused) count.inc({ budget }, bytes);
      },
    );
    counter('questions_total', 'Questions that the archive index began to answer.', [], (count) =>
      count.inc(this.#waits),
    );
    counter('question_wait_seconds_total', 'For how long they had waited for a thread.', [], (count) =>
      count.inc(this.#waitedMs / 1_000),
    );
    counter('processor_seconds_total', 'Processor time of this process.', [], (count) => {
      const { user, system } = process.cpuUsage();
      count.inc((user + system) / 1e6);
    });
    const gauge = (name: string, help: string, read: () => number) =>
      new Gauge({
        name: `${prefix}_${name}`,
        help,
        registers: [registry],
        collect() {
          this.set(read());
        },
      });
    gauge(
      'start_time_seconds',
      'When this process began, in seconds since 1970.',
      () => performance.timeOrigin / 1_000,
    );
    gauge('memory_bytes', 'Memory of this process.', () => process.memoryUsage.rss());
    gauge(
      'event_loop_lag_seconds',
      'What 99 of 100 waits of the event loop stayed below since the last scrape.',
      () => {
        const lag = Math.max(0, this.#loop.percentile(99) / NANOSECONDS - LOOP_RESOLUTION_MS / 1_000);
        this.#loop.reset();
        return lag;
      },
    );
  }
}

function add(counts: Map<string, number>, key: string, by = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}
