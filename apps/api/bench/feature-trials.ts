import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openEmbeddedMongo } from '@archive/embedded-mongo';
import { type Fault, type LocalEndpoint, type LocalSolana, openLocalSolana } from '@archive/local-solana';
import { ArchiveStore } from '../src/archives/archive-store.ts';
import { Chain } from '../src/chain/chain.ts';
import { type Database, openDatabase } from '../src/db/database.ts';
import { checkPayments, type PaymentsReport } from '../src/featuring/check-payments.ts';
import { PaymentStore } from '../src/featuring/payment-store.ts';
import { featureEnv, Payer, PRICE } from '../tests/_payer.ts';
import { TestWallet } from '../tests/_wallet.ts';
import { seeded } from './generate-posts.ts';
import { freePort, type ProductProcess, startProduct, untilReady } from './product-process.ts';
import { addPosts, signIn } from './stage.ts';

const PAYERS = 6;
const RUNS_PER_ROUND = 10;
const SLOT_MS = 60;
const FINALIZED_AFTER = 12;
const SETTLE_TIMEOUT_MS = 60_000;
const HOUR_MS = 3_600_000;

/** What happens to the server, or to the node it asks, while people pay. */
const FAULTS = {
  nothing: null,
  'API killed': null,
  'database killed': null,
  'RPC down': { kind: 'drop' },
  'RPC slower than its time limit': { kind: 'delay', ms: 6_000 },
  'RPC answers 429': { kind: 'status', status: 429 },
  'RPC answers HTML': { kind: 'html' },
  'RPC answers an error': { kind: 'error', code: -32_005, message: 'Node is behind' },
  'null after confirmed': { kind: 'hide-transactions' },
  'stale node': { kind: 'lag', slots: 30 },
  'said to have expired, landed all the same': { kind: 'hide-transactions' },
  'rolled back before finalized': null,
} as const satisfies Record<string, Fault | null>;

type FaultName = keyof typeof FAULTS;

interface Run {
  signature: string;
  post: string;
  isEnough: boolean;
  isRolledBack: boolean;
}

export interface FeatureReport {
  runs: number;
  byFault: Record<string, number>;
  applied: number;
  credits: number;
  dropped: number;
  /** In words: what the check found, and runs that did not end as they should. */
  wrong: string[];
}

/**
 * People pay, sometimes two for one post, sometimes too little, sometimes closing the page right after, while something
 * goes wrong; after each round everything that is on the chain must be applied once or be a credit.
 */
export async function runFeatureTrials(options: {
  runs: number;
  seed: number;
  dist: string;
  onRound?: (line: string) => void;
}): Promise<FeatureReport> {
  const stage = await Stage.open(options.dist, options.runs);
  const random = seeded(options.seed);
  const names = Object.keys(FAULTS) as FaultName[];
  const all: Run[] = [];
  const wrong: string[] = [];
  const byFault: Record<string, number> = {};
  try {
    for (let round = 0; all.length < options.runs; round++) {
      const fault = names[Math.floor(random() * names.length)] as FaultName;
      const runs = await stage.round(fault, Math.min(RUNS_PER_ROUND, options.runs - all.length), random);
      byFault[fault] = (byFault[fault] ?? 0) + runs.length;
      all.push(...runs);
      wrong.push(...(await stage.untilSettled(runs)).map((line) => `round ${round + 1} (${fault}): ${line}`));
      const { differences } = await stage.check();
      wrong.push(...differences.map((line) => `round ${round + 1} (${fault}): ${line}`));
      options.onRound?.(`round ${round + 1}, ${fault}: ${all.length} payments so far, ${wrong.length} wrong`);
    }
    wrong.push(...(await stage.untilDropped(all)));
    // Long after: nothing may be under way any more.
    wrong.push(...(await stage.check(HOUR_MS)).differences);
    const states = await stage.states(all);
    wrong.push(...compare(all, states));
    const count = (...wanted: string[]) => [...states.values()].filter(({ state }) => wanted.includes(state)).length;
    return {
      runs: all.length,
      byFault,
      applied: count('applied', 'finalized'),
      credits: count('credit'),
      dropped: count('dropped'),
      wrong,
    };
  } finally {
    await stage.close();
  }
}

/**
 * Milliseconds from the confirmation of a payment until its post is featured: with the page open, which asks every second
 * as ours does, and with the page closed, where the server finds it by itself.
 */
export async function measureCredit(dist: string, count: number): Promise<{ open: number[]; closed: number[] }> {
  const stage = await Stage.open(dist, count * 2);
  try {
    const open: number[] = [];
    const closed: number[] = [];
    for (let index = 0; index < count; index++) {
      open.push(await stage.timeCredit(true));
      closed.push(await stage.timeCredit(false));
    }
    return { open, closed };
  } finally {
    await stage.close();
  }
}

/** Of the full payments for one post one is applied and the others are credits, as are those that are too small. */
function compare(runs: readonly Run[], states: Map<string, { state: string; reason: string | null }>): string[] {
  const wrong: string[] = [];
  const byPost = new Map<string, Run[]>();
  for (const run of runs) byPost.set(run.post, [...(byPost.get(run.post) ?? []), run]);
  for (const [post, paid] of byPost) {
    const standing = paid.filter((run) => run.isEnough && !run.isRolledBack);
    const applied = paid.filter(({ signature }) => /applied|finalized/.test(states.get(signature)?.state ?? ''));
    if (applied.length > 1) wrong.push(`${applied.length} payments were applied to post ${post}`);
    if (standing.length > 0 && applied.length === 0 && paid.every((run) => !run.isRolledBack)) {
      wrong.push(`no payment was applied to post ${post}`);
    }
    for (const run of paid) {
      const { state, reason } = states.get(run.signature) ?? { state: 'unknown', reason: null };
      if (!run.isEnough && !run.isRolledBack && reason !== 'too_little') {
        wrong.push(`${run.signature} was too little and is ${state}`);
      }
      if (run.isRolledBack && state !== 'dropped' && state !== 'unknown') {
        wrong.push(`${run.signature} was rolled back and is ${state}`);
      }
    }
  }
  return wrong;
}

/** A product over a folder of its own beside a local network, people with money, and posts. */
class Stage {
  readonly #folder = mkdtempSync(join(tmpdir(), 'featuring-'));
  readonly #dist: string;
  #mongo!: Awaited<ReturnType<typeof openEmbeddedMongo>>;
  #solana!: LocalSolana;
  /** The node that the server asks; people ask another. */
  #node!: LocalEndpoint;
  #env!: NodeJS.ProcessEnv;
  #product!: ProductProcess;
  #database!: Database;
  #payments!: PaymentStore;
  #people: { payer: Payer; token: string }[] = [];
  #posts: string[] = [];

  private constructor(dist: string) {
    this.#dist = dist;
  }

  static async open(dist: string, runs: number): Promise<Stage> {
    const stage = new Stage(dist);
    stage.#mongo = await openEmbeddedMongo({ directory: join(stage.#folder, 'mongo'), cacheMegabytes: 256 });
    stage.#solana = await openLocalSolana({ slotMs: SLOT_MS, finalizedAfter: FINALIZED_AFTER });
    stage.#node = await stage.#solana.control.openEndpoint();
    stage.#env = {
      ...process.env,
      ...featureEnv(stage.#solana),
      SOLANA_RPC_URL: stage.#node.rpcUrl,
      MONGODB_URI: stage.#mongo.uri,
      DATA_DIR: stage.#folder,
      PORT: String(await freePort()),
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'silent',
    };
    stage.#product = await startProduct(dist, stage.#env);
    stage.#database = await openDatabase(stage.#mongo.uri);
    stage.#payments = new PaymentStore(stage.#database.db);
    stage.#posts = await addPosts(stage.#product.url, stage.#database.db, runs * 2 + 100, 11);
    for (let index = 0; index < PAYERS; index++) stage.#people.push(await stage.#enter());
    return stage;
  }

  /** A number of payments while one thing goes wrong. */
  async round(name: FaultName, count: number, random: () => number): Promise<Run[]> {
    const runs: Run[] = [];
    const shared = this.#posts.pop() as string;
    const work = Array.from({ length: count }, async (_, index) => {
      const { payer, token } = this.#people[index % PAYERS] as { payer: Payer; token: string };
      // The same payer paying for the same post in the same slot would be the same transaction.
      const isShared = random() < 0.2 && index < PAYERS;
      const post = isShared ? shared : (this.#posts.pop() as string);
      const isEnough = random() > 0.1;
      const isClosed = random() < 0.3;
      await delay(random() * 300);
      const signature = await payer.send(await payer.build(post, isEnough ? PRICE : PRICE / 2n));
      const run = { signature, post, isEnough, isRolledBack: false };
      runs.push(run);
      if (!isClosed) await this.#report(token, post, signature);
      if (name === 'rolled back before finalized' && random() < 0.5) {
        // Too late where it is final already; what came after it in the same fork goes and comes with it.
        run.isRolledBack = await this.#solana.control.rollBack(signature).then(
          () => true,
          () => false,
        );
      }
    });
    await delay(random() * 200);
    await this.#disturb(name, random);
    await Promise.all(work);
    return runs;
  }

  async #disturb(name: FaultName, random: () => number): Promise<void> {
    if (name === 'API killed') {
      this.#product.child.kill('SIGKILL');
      this.#product = await startProduct(this.#dist, this.#env);
    } else if (name === 'database killed') {
      process.kill(this.#mongo.pid() as number, 'SIGKILL');
      await delay(300);
      await untilReady(this.#product.url, this.#product.child);
    }
    const fault = FAULTS[name];
    if (!fault) return;
    await this.#node.fault(fault);
    await delay(300 + random() * 700);
    if (name === 'said to have expired, landed all the same') await this.#solana.control.advance(151);
    await delay(200);
    await this.#node.clearFaults();
  }

  /** As the page does: again and again until there is an answer that stands. */
  async #report(token: string, post: string, signature: string, pauseMs = 100): Promise<void> {
    const deadline = Date.now() + 10_000;
    while (Date.now() < deadline) {
      const answer = await fetch(`${this.#product.url}/amber/feature/verify`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ amberId: post, transaction: signature }),
        signal: AbortSignal.timeout(8_000),
      }).catch(() => null);
      await answer?.arrayBuffer().catch(() => {});
      if (answer && [200, 409, 422].includes(answer.status)) return;
      await delay(pauseMs);
    }
  }

  async timeCredit(isOpen: boolean): Promise<number> {
    const { payer, token } = this.#people[0] as { payer: Payer; token: string };
    const post = this.#posts.pop() as string;
    const signature = await payer.send(await payer.build(post));
    for (;;) {
      const { value } = await payer.connection.getSignatureStatus(signature);
      if (value?.confirmationStatus === 'confirmed') break;
      await delay(10);
    }
    const confirmedAt = performance.now();
    if (isOpen) await this.#report(token, post, signature, 1_000);
    while (!/applied|finalized/.test((await this.#payments.find(signature))?.state ?? '')) await delay(20);
    return performance.now() - confirmedAt;
  }

  /** Waits for what is on the chain to be settled; in words what is not. */
  async untilSettled(runs: readonly Run[]): Promise<string[]> {
    const deadline = Date.now() + SETTLE_TIMEOUT_MS;
    for (;;) {
      const states = await this.states(runs);
      const left = runs.filter(
        ({ signature, isRolledBack }) =>
          !isRolledBack && !/applied|finalized|credit/.test(states.get(signature)?.state ?? ''),
      );
      if (left.length === 0) return [];
      if (Date.now() > deadline) {
        return left.map(
          ({ signature }) => `${signature} is ${states.get(signature)?.state ?? 'unknown'} after a minute`,
        );
      }
      await delay(100);
    }
  }

  /** Waits for what was rolled back to be taken back. */
  async untilDropped(runs: readonly Run[]): Promise<string[]> {
    const gone = runs.filter(({ isRolledBack }) => isRolledBack);
    const deadline = Date.now() + SETTLE_TIMEOUT_MS * 3;
    for (;;) {
      const states = await this.states(gone);
      const left = gone.filter(({ signature }) => !/dropped|unknown/.test(states.get(signature)?.state ?? 'unknown'));
      if (left.length === 0) return [];
      if (Date.now() > deadline) return left.map(({ signature }) => `${signature} was rolled back and stands`);
      await delay(500);
    }
  }

  async states(runs: readonly Run[]): Promise<Map<string, { state: string; reason: string | null }>> {
    const found = await this.#payments.payments
      .find({ _id: { $in: runs.map(({ signature }) => signature) } })
      .toArray();
    return new Map(found.map(({ _id, state, reason }) => [_id, { state, reason }]));
  }

  check(laterMs = 0): Promise<PaymentsReport> {
    return checkPayments({
      archives: new ArchiveStore(this.#database.db, this.#database.clock),
      payments: this.#payments,
      chain: new Chain([this.#solana.rpcUrl]),
      now: new Date(this.#database.clock.now().getTime() + laterMs),
    });
  }

  async close(): Promise<void> {
    await this.#product.stop();
    await this.#database.close();
    await this.#solana.close();
    await this.#mongo.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #enter(): Promise<{ payer: Payer; token: string }> {
    const wallet = new TestWallet();
    const payer = await Payer.open(this.#solana, wallet, '100000');
    return { payer, token: await signIn(this.#product.url, wallet) };
  }
}
