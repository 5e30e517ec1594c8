import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { buildLaunchMessage, type LaunchResult, type TokenCheck } from '@archive/contracts';
import { openEmbeddedMongo } from '@archive/embedded-mongo';
import { type Fault, type LocalEndpoint, type LocalSolana, openLocalSolana } from '@archive/local-solana';
import { TOKEN_2022_PROGRAM } from '@archive/solana/verify';
import { Connection, PublicKey } from '@solana/web3.js';
import { ObjectId } from 'mongodb';
import { ArchiveStore } from '../src/archives/archive-store.ts';
import { type Database, openDatabase } from '../src/db/database.ts';
import { checkLaunches } from '../src/launches/check-launches.ts';
import { LaunchChain } from '../src/launches/launch-chain.ts';
import { HOLDING, type LaunchState } from '../src/launches/launch-document.ts';
import { LaunchStore } from '../src/launches/launch-store.ts';
import { FastSigner } from '../tests/_fast-signer.ts';
import { TestWallet } from '../tests/_wallet.ts';
import { seeded } from './generate-posts.ts';
import { freePort, type ProductProcess, startProduct, untilReady } from './product-process.ts';
import { addPosts, signIn } from './stage.ts';

const FAST_SLOT_MS = 60;
const POSTS_PER_KILL = 4;
const SETTLE_TIMEOUT_MS = 180_000;
/** How long a kill waits for the state it is to meet. */
const REACH_TIMEOUT_MS = 15_000;
const HOUR_MS = 3_600_000;
/** A token account is this long; what is longer and has a 1 behind it is a mint with extensions. */
const TOKEN_ACCOUNT_BYTES = 165;

/** Where a launch is held up so that the kill meets it in that state. */
const HELD: Record<string, Fault | null> = {
  // Just within the time limit of a question.
  claimed: { kind: 'delay', ms: 4_500, methods: ['simulateTransaction'] },
  signed: { kind: 'delay', ms: 4_500, methods: ['sendTransaction'] },
  sent: { kind: 'lose-transactions' },
  confirmed: null,
  'any moment': null,
};

export interface LaunchReport {
  /** Rounds, or kills. */
  trials: number;
  /** Tokens launched. */
  launches: number;
  /** In which state a kill met a launch. */
  byState: Record<string, number>;
  /** In words. */
  wrong: string[];
}

/** Milliseconds from the call until it answers 201, at the network's usual pace. */
export async function measureLaunches(dist: string, count: number): Promise<number[]> {
  const stage = await LaunchStage.open({ dist, posts: count, users: 1 });
  try {
    const times: number[] = [];
    for (let index = 0; index < count; index++) {
      const post = stage.takePost();
      const startedAt = performance.now();
      const { status } = await stage.launch(0, post);
      if (status !== 201) throw new Error(`a launch answered ${status}`);
      times.push(performance.now() - startedAt);
    }
    return times;
  } finally {
    await stage.close();
  }
}

/** In each round all users launch from one post at once: one succeeds, every other is told so. */
export async function runLaunchRaces(options: {
  rounds: number;
  users: number;
  dist: string;
  onRound?: (line: string) => void;
}): Promise<LaunchReport> {
  const { rounds, users, dist, onRound } = options;
  const stage = await LaunchStage.open({ dist, posts: rounds, users, slotMs: FAST_SLOT_MS });
  const wrong: string[] = [];
  try {
    for (let round = 1; round <= rounds; round++) {
      const post = stage.takePost();
      const answers = await Promise.all(Array.from({ length: users }, (_, user) => stage.launch(user, post)));
      const won = answers.filter(({ status }) => status === 201 || status === 202).length;
      const lost = answers.filter(({ status }) => status === 409).length;
      if (won !== 1 || lost !== users - 1) {
        wrong.push(`round ${round}: ${answers.map(({ status }) => status).join(' ')}`);
      }
      if (round % 50 === 0) onRound?.(`${round} rounds, ${wrong.length} wrong`);
    }
    const { launches, wrong: found } = await stage.judge();
    if (launches !== rounds) wrong.push(`${launches} tokens after ${rounds} rounds`);
    return { trials: rounds, launches, byState: {}, wrong: [...wrong, ...found] };
  } finally {
    await stage.close();
  }
}

/**
 * Kills the API (kill -9), and now and then the database, while launches are in a state of every kind; afterwards every
 * post comes to have exactly one token.
 */
export async function runLaunchKills(options: {
  trials: number;
  seed: number;
  dist: string;
  onTrial?: (line: string) => void;
}): Promise<LaunchReport> {
  const { trials, seed, dist, onTrial } = options;
  const random = seeded(seed);
  const posts = trials * POSTS_PER_KILL;
  const stage = await LaunchStage.open({ dist, posts, users: POSTS_PER_KILL, slotMs: FAST_SLOT_MS });
  const wrong: string[] = [];
  const byState: Record<string, number> = {};
  const all: string[] = [];
  try {
    const names = Object.keys(HELD);
    for (let trial = 0; trial < trials; trial++) {
      const held = names[trial % names.length] as string;
      const taken = Array.from({ length: POSTS_PER_KILL }, () => stage.takePost());
      all.push(...taken);
      const victim = trial % 7 === 6 ? 'database' : 'API';
      const met = await stage.kill({ held, victim, posts: taken, random });
      for (const state of met) byState[state] = (byState[state] ?? 0) + 1;
      onTrial?.(`kill ${trial + 1} of the ${victim} (${held}): ${met.join(' ')}`);
    }
    for (const [at, post] of all.entries()) wrong.push(...(await stage.insist(at % POSTS_PER_KILL, post)));
    const { launches, wrong: found } = await stage.judge();
    if (launches !== all.length) wrong.push(`${launches} tokens for ${all.length} posts`);
    return { trials, launches, byState, wrong: [...wrong, ...found] };
  } finally {
    await stage.close();
  }
}

interface User {
  token: string;
  signer: FastSigner;
}

/** A product over a folder of its own beside a local network, posts, and people who are signed in. */
class LaunchStage {
  readonly #folder = mkdtempSync(join(tmpdir(), 'launches-'));
  readonly #dist: string;
  readonly #users: User[] = [];
  #posts: string[] = [];
  #mongo!: Awaited<ReturnType<typeof openEmbeddedMongo>>;
  #solana!: LocalSolana;
  /** The node that the server asks. */
  #node!: LocalEndpoint;
  #env!: NodeJS.ProcessEnv;
  #product!: ProductProcess;
  #database!: Database;
  #launches!: LaunchStore;

  private constructor(dist: string) {
    this.#dist = dist;
  }

  static async open(options: { dist: string; posts: number; users: number; slotMs?: number }): Promise<LaunchStage> {
    const stage = new LaunchStage(options.dist);
    stage.#mongo = await openEmbeddedMongo({ directory: join(stage.#folder, 'mongo'), cacheMegabytes: 256 });
    stage.#solana = await openLocalSolana(options.slotMs ? { slotMs: options.slotMs } : {});
    stage.#node = await stage.#solana.control.openEndpoint();
    stage.#env = {
      ...process.env,
      SOLANA_RPC_URL: stage.#node.rpcUrl,
      MONGODB_URI: stage.#mongo.uri,
      DATA_DIR: stage.#folder,
      PORT: String(await freePort()),
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'silent',
    };
    stage.#product = await startProduct(options.dist, stage.#env);
    stage.#database = await openDatabase(stage.#mongo.uri);
    stage.#launches = new LaunchStore(stage.#database.db);
    stage.#posts = await addPosts(stage.#product.url, stage.#database.db, options.posts + 20, 17);
    for (let index = 0; index < options.users; index++) stage.#users.push(await stage.#enter());
    return stage;
  }

  takePost(): string {
    return this.#posts.pop() as string;
  }

  /** The answer to a launch; status 0 where there was none. */
  async launch(user: number, amberId: string): Promise<{ status: number; body: LaunchResult | null }> {
    const { token, signer } = this.#users[user] as User;
    const terms = { name: `Token ${user}`, symbol: `T${user}` };
    const transaction = signer.sign(buildLaunchMessage({ ...terms, id: amberId }));
    try {
      const answer = await fetch(`${this.#product.url}/amber/token`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ amberId, ...terms, transaction }),
        signal: AbortSignal.timeout(30_000),
      });
      return { status: answer.status, body: (await answer.json()) as LaunchResult };
    } catch {
      return { status: 0, body: null };
    }
  }

  /** Launches from these posts and kills the victim in the middle; answers the states that were met. */
  async kill(options: {
    held: string;
    victim: 'API' | 'database';
    posts: string[];
    random: () => number;
  }): Promise<string[]> {
    const { held, victim, posts, random } = options;
    const fault = HELD[held];
    if (fault) await this.#node.fault(fault);
    const calls = posts.map((post, user) => this.launch(user, post));
    if (held === 'any moment') await delay(random() * 1_500);
    else await this.#untilAll(posts, held);
    if (victim === 'database') process.kill(this.#mongo.pid() as number, 'SIGKILL');
    else this.#product.child.kill('SIGKILL');
    await Promise.all(calls);
    // Before the next process settles them.
    const met = victim === 'API' ? await this.#statesOf(posts) : null;
    await this.#node.clearFaults();
    if (victim === 'database') await delay(300);
    else this.#product = await startProduct(this.#dist, this.#env);
    await untilReady(this.#product.url, this.#product.child);
    return met ?? this.#statesOf(posts);
  }

  async #statesOf(posts: string[]): Promise<string[]> {
    const found = await this.#launches.launches.find({ _id: { $in: posts.map((id) => new ObjectId(id)) } }).toArray();
    return posts.map((post) => found.find(({ _id }) => _id.toHexString() === post)?.state ?? 'nothing');
  }

  /** Launches again until the post has a token; in words where that never comes. */
  async insist(user: number, post: string): Promise<string[]> {
    for (const deadline = Date.now() + SETTLE_TIMEOUT_MS; Date.now() < deadline; await delay(250)) {
      const check = (await (await fetch(`${this.#product.url}/amber/token/check/${post}`)).json()) as TokenCheck;
      if (check.exists) return [];
      if (!check.tokenLaunch) await this.launch(user, post);
    }
    return [`post ${post} is stuck as ${(await this.#launches.find(new ObjectId(post)))?.state}`];
  }

  /** Compares database and chain, and looks on the chain for tokens that no post has. */
  async judge(): Promise<{ launches: number; wrong: string[] }> {
    const connection = new Connection(this.#solana.rpcUrl, 'confirmed');
    const chain = new LaunchChain([this.#solana.rpcUrl]);
    const archives = new ArchiveStore(this.#database.db, this.#database.clock);
    const now = new Date(this.#database.clock.now().getTime() + HOUR_MS);
    const { launches, differences } = await checkLaunches({ archives, launches: this.#launches, chain, now });
    const owned = await connection.getProgramAccounts(new PublicKey(TOKEN_2022_PROGRAM));
    const mints = owned.filter(({ account: { data } }) => data[TOKEN_ACCOUNT_BYTES] === 1);
    const wrong = [...differences];
    for (const { pubkey } of mints) {
      if (!(await this.#launches.findByMint(pubkey.toBase58()))) wrong.push(`token ${pubkey} belongs to no post`);
    }
    if (mints.length !== launches) wrong.push(`${mints.length} tokens on the chain, ${launches} launches`);
    return { launches, wrong };
  }

  async close(): Promise<void> {
    await this.#product.stop();
    await this.#database.close();
    await this.#solana.close();
    await this.#mongo.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** All of them in this state, or past it already. */
  async #untilAll(posts: string[], state: string): Promise<void> {
    const ids = posts.map((id) => new ObjectId(id));
    const states = HOLDING.slice(HOLDING.indexOf(state as LaunchState));
    const reached = () =>
      this.#launches.launches.countDocuments({ _id: { $in: ids }, state: { $in: states } }).catch(() => 0);
    for (const deadline = Date.now() + REACH_TIMEOUT_MS; Date.now() < deadline; await delay(5)) {
      if ((await reached()) === ids.length) return;
    }
  }

  async #enter(): Promise<User> {
    const wallet = new TestWallet();
    return { token: await signIn(this.#product.url, wallet), signer: new FastSigner(wallet) };
  }
}
