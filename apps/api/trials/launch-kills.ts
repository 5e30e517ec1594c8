import { setTimeout as delay } from 'node:timers/promises';
import type { Fault } from '@archive/local-solana';
import { TOKEN_2022_PROGRAM } from '@archive/solana/verify';
import { type Answer, checkPost, Launcher } from '@archive/testing';
import { seeded } from '@archive/testing/generate-posts';
import { Connection, PublicKey } from '@solana/web3.js';
import { ObjectId } from 'mongodb';
import { checkLaunches } from '../src/launches/check-launches.ts';
import { HOLDING, type LaunchState } from '../src/launches/launch-document.ts';
import { LaunchStore } from '../src/launches/launch-store.ts';
import { Stage } from './stage.ts';

const FAST_SLOT_MS = 60;
const POSTS_PER_KILL = 4;
const SETTLE_TIMEOUT_MS = 180_000;
/** Longest wait of a kill for the state in which it should happen. */
const REACH_TIMEOUT_MS = 15_000;
const HOUR_MS = 3_600_000;
/** Length of a token account. A longer account with a 1 after these bytes is a mint with extensions. */
const TOKEN_ACCOUNT_BYTES = 165;

/** Faults that hold a launch in a state, so that the kill happens in that state. */
const HELD: Record<string, Fault | null> = {
  // Just below the time limit of one call to the node.
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
  /** Number of kills by the state of the launch. */
  byState: Record<string, number>;
  /** Differences, as text. */
  wrong: string[];
}

/**
 * In each round all users launch from one post at once: one launch succeeds, and the server refuses every other one.
 */
export async function runLaunchRaces(options: {
  rounds: number;
  users: number;
  onRound?: (line: string) => void;
}): Promise<LaunchReport> {
  const { rounds, users, onRound } = options;
  const stage = await LaunchStage.open({ posts: rounds, users, slotMs: FAST_SLOT_MS });
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
 * Kills the API (kill -9), and now and then the database, during launches in every state. Afterwards every post must
 * get exactly one token.
 */
export async function runLaunchKills(options: {
  trials: number;
  seed: number;
  onTrial?: (line: string) => void;
}): Promise<LaunchReport> {
  const { trials, seed, onTrial } = options;
  const random = seeded(seed);
  const posts = trials * POSTS_PER_KILL;
  const stage = await LaunchStage.open({ posts, users: POSTS_PER_KILL, slotMs: FAST_SLOT_MS });
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

/** Users who launch tokens. */
export class LaunchStage {
  readonly #stage: Stage;
  readonly #launches: LaunchStore;
  readonly #users: Launcher[];

  private constructor(stage: Stage, users: Launcher[]) {
    this.#stage = stage;
    this.#launches = new LaunchStore(stage.database.db);
    this.#users = users;
  }

  static async open(options: { posts: number; users: number; slotMs?: number }): Promise<LaunchStage> {
    const { posts, users, ...solana } = options;
    const stage = await Stage.open({ solana, posts });
    const { product } = stage;
    return new LaunchStage(stage, await Promise.all(Array.from({ length: users }, () => Launcher.open(product))));
  }

  takePost(): string {
    return this.#stage.takePost();
  }

  launch(user: number, amberId: string): Promise<Answer> {
    return (this.#users[user] as Launcher).launch({ amberId, name: `Token ${user}`, symbol: `T${user}` });
  }

  /** Launches from these posts and kills the victim meanwhile. Returns the states of the launches at the kill. */
  async kill(options: {
    held: string;
    victim: 'API' | 'database';
    posts: string[];
    random: () => number;
  }): Promise<string[]> {
    const { held, victim, posts, random } = options;
    const fault = HELD[held];
    const { product } = this.#stage;
    if (fault) await product.node.fault(fault);
    const calls = posts.map((post, user) => this.launch(user, post));
    if (held === 'any moment') await delay(random() * 1_500);
    else await this.#untilAll(posts, held);
    await product.kill(victim);
    await Promise.all(calls);
    // Read before the next process settles the launches.
    const met = victim === 'API' ? await this.#statesOf(posts) : null;
    await product.node.clearFaults();
    await product.recover();
    return met ?? this.#statesOf(posts);
  }

  async #statesOf(posts: string[]): Promise<string[]> {
    const found = await this.#launches.launches.find({ _id: { $in: posts.map((id) => new ObjectId(id)) } }).toArray();
    return posts.map((post) => found.find(({ _id }) => _id.toHexString() === post)?.state ?? 'nothing');
  }

  /** Launches again until the post has a token. Returns an error text if that never happens. */
  async insist(user: number, post: string): Promise<string[]> {
    for (const deadline = Date.now() + SETTLE_TIMEOUT_MS; Date.now() < deadline; await delay(250)) {
      const { exists, tokenLaunch } = await checkPost(this.#stage.product, post);
      if (exists) return [];
      if (!tokenLaunch) await this.launch(user, post);
    }
    return [`post ${post} is stuck as ${(await this.#launches.find(new ObjectId(post)))?.state}`];
  }

  /** Compares database and chain, and searches the chain for tokens without a post. */
  async judge(): Promise<{ launches: number; wrong: string[] }> {
    const { rpcUrl } = this.#stage.product.solana;
    const connection = new Connection(rpcUrl, 'confirmed');
    const { launches, differences } = await checkLaunches({
      posts: this.#stage.postStore,
      launches: this.#launches,
      chain: this.#stage.chain,
      now: this.#stage.now(HOUR_MS),
    });
    const owned = await connection.getProgramAccounts(new PublicKey(TOKEN_2022_PROGRAM));
    const mints = owned.filter(({ account: { data } }) => data[TOKEN_ACCOUNT_BYTES] === 1);
    const wrong = [...differences];
    for (const { pubkey } of mints) {
      if (!(await this.#launches.findByMint(pubkey.toBase58()))) wrong.push(`token ${pubkey} belongs to no post`);
    }
    if (mints.length !== launches) wrong.push(`${mints.length} tokens on the chain, ${launches} launches`);
    return { launches, wrong };
  }

  close(): Promise<void> {
    return this.#stage.close();
  }

  /** Waits until all launches have reached this state or a later one. */
  async #untilAll(posts: string[], state: string): Promise<void> {
    const ids = posts.map((id) => new ObjectId(id));
    const states = HOLDING.slice(HOLDING.indexOf(state as LaunchState));
    const reached = () =>
      this.#launches.launches.countDocuments({ _id: { $in: ids }, state: { $in: states } }).catch(() => 0);
    for (const deadline = Date.now() + REACH_TIMEOUT_MS; Date.now() < deadline; await delay(5)) {
      if ((await reached()) === ids.length) return;
    }
  }
}
