import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type AgentProcess, startAgent } from '@archive/processes';
import { seeded } from '@archive/testing/generate-posts';
import { pick } from '../../bench/archive-questions.ts';
import type { ByteStore } from '../../src/media/bytes/byte-store.ts';
import { FolderStore } from '../../src/media/bytes/folder-store.ts';
import { S3Store } from '../../src/media/bytes/s3-store.ts';
import { startS3 } from '../local-s3.ts';
import { Stage } from '../stage.ts';
import { BlueskyPeople } from './bluesky-people.ts';
import { type Judgement, judgeArrivals } from './judge-arrivals.ts';
import type { Asked, People } from './people.ts';
import { XPeople } from './x-people.ts';

const ASKED_AT_ONCE = 4;
/** Work of a killed process is taken over after a minute. Failed work is retried up to 15 minutes later. */
const SETTLE_TIMEOUT_MS = 45 * 60_000;
const SAY_MS = 60_000;
/** A restart takes seconds, and a request is in progress for about two. */
const VICTIMS = ['agent', 'agent', 'API', 'database'] as const;

export interface ArrivalKillOptions {
  requests: number;
  kills: number;
  seed: number;
  /** Store of the media files. */
  store: 'folder' | 's3';
  say?: (line: string) => void;
}

export interface ArrivalKillReport extends Judgement {
  requests: number;
  kills: Record<string, number>;
  mishaps: Record<string, number>;
}

/**
 * Simulated users, half on a local Bluesky network and half on a stand-in for X, ask for posts with and without
 * pictures, while agent, API and engine are killed at random moments and X loses answers. In the end each request has
 * ended once, each post exists once with all its pictures, each requester has one answer, and no file is superfluous or
 * missing.
 */
export async function runArrivalKills(options: ArrivalKillOptions): Promise<ArrivalKillReport> {
  const random = seeded(options.seed);
  const s3 = options.store === 's3' ? await startS3() : null;
  const all: People[] = [await BlueskyPeople.open(random), await XPeople.open(random)];
  const stage = await Stage.open({ posts: 0, env: { ...envOf(all), ...(s3 && envOfS3(s3.settings)) } });
  const trial = new Trial(options, stage, all, random);
  try {
    await trial.run();
    const bytes: ByteStore = s3 ? new S3Store(s3.settings) : new FolderStore(join(stage.product.folder, 'media'));
    return await trial.judge(bytes);
  } finally {
    await trial.stop();
    await stage.close();
    for (const people of all) await people.close();
    await s3?.close();
  }
}

function envOf(all: readonly People[]): NodeJS.ProcessEnv {
  return {
    LOG_LEVEL: 'info',
    AGENT_REPLIES_PER_DAY: '100000',
    ...Object.assign({}, ...all.map(({ env }) => env)),
    SOURCE_LOCAL_HOSTS: all.map(({ env }) => env['SOURCE_LOCAL_HOSTS']).join(','),
  };
}

function envOfS3({ endpoint, bucket, key, secret, region }: Awaited<ReturnType<typeof startS3>>['settings']) {
  return { S3_ENDPOINT: endpoint, S3_BUCKET: bucket, S3_KEY: key, S3_SECRET: secret, S3_REGION: region };
}

class Trial {
  readonly #options: ArrivalKillOptions;
  readonly #stage: Stage;
  readonly #all: readonly People[];
  readonly #random: () => number;
  readonly #asked: Map<People, Asked[]>;
  readonly #kills: Record<string, number> = {};
  #agent: AgentProcess;
  #begun = 0;
  /** Number of requests allowed so far, so that the requests last as long as the kills. */
  #allowed = 0;

  constructor(options: ArrivalKillOptions, stage: Stage, all: readonly People[], random: () => number) {
    this.#options = options;
    this.#stage = stage;
    this.#all = all;
    this.#random = random;
    this.#asked = new Map(all.map((people) => [people, []]));
    this.#agent = this.#startAgent();
  }

  get #count(): number {
    return [...this.#asked.values()].flat().length;
  }

  async run(): Promise<void> {
    const { kills, requests } = this.#options;
    await this.#untilAtWork();
    const asking = Promise.all(Array.from({ length: ASKED_AT_ONCE }, () => this.#ask()));
    let failure: unknown;
    asking.catch((error: unknown) => {
      failure = error;
    });
    for (let kill = 0; kill < kills; kill++) {
      this.#allowed = Math.ceil((requests * (kill + 1)) / kills);
      await delay(100 + this.#random() * 1_500);
      // On a busy machine requests take longer than kills.
      while (this.#begun < this.#allowed && !failure) await delay(20);
      if (failure) throw failure;
      await this.#kill(pick([...VICTIMS], this.#random));
      if (kill % 10 === 9) this.#say(`${kill + 1} kills, ${this.#count} requests`);
    }
    this.#allowed = requests;
    await asking;
    for (const people of this.#all) people.calm();
    await this.#settle();
  }

  /** Waits for the agent's first start. Mentions before it count as no request. */
  async #untilAtWork(): Promise<void> {
    const agents = this.#stage.database.db.collection('agents');
    while ((await agents.countDocuments()) < this.#all.length) {
      if (this.#agent.process.exitCode !== null) throw new Error(await this.#agent.ended);
      await delay(50);
    }
  }

  async #ask(): Promise<void> {
    while (this.#begun < this.#options.requests) {
      if (this.#begun >= this.#allowed) {
        await delay(20);
        continue;
      }
      const people = this.#all[this.#begun++ % this.#all.length] as People;
      const asked = await people.ask();
      this.#asked.get(people)?.push(asked);
    }
  }

  async #kill(victim: (typeof VICTIMS)[number]): Promise<void> {
    const { product } = this.#stage;
    if (victim === 'agent') {
      this.#agent.process.kill('SIGKILL');
      await this.#agent.ended;
      this.#agent = this.#startAgent();
    } else {
      await product.kill(victim);
      await product.recover();
    }
    this.#startAgentWhereItEnded();
    this.#kills[victim] = (this.#kills[victim] ?? 0) + 1;
  }

  #startAgent(): AgentProcess {
    const { product } = this.#stage;
    return startAgent({ mongodbUri: product.mongo.uri, dataDir: product.folder, env: product.env });
  }

  /** Restarts the agent if it has ended by itself, which it does without the database. */
  #startAgentWhereItEnded(): void {
    if (this.#agent.process.exitCode !== null) this.#agent = this.#startAgent();
  }

  /** Waits until every request has ended and been answered, and no picture fetch is pending. */
  async #settle(): Promise<void> {
    const { db } = this.#stage.database;
    const { requests } = this.#options;
    let saidAt = performance.now();
    for (const deadline = saidAt + SETTLE_TIMEOUT_MS; performance.now() < deadline; await delay(500)) {
      this.#startAgentWhereItEnded();
      const [taken, open, lacking] = await Promise.all([
        db.collection('saves').countDocuments(),
        db.collection('saves').countDocuments({ $or: [{ state: { $nin: ['answered', 'failed'] } }, { reply: 'due' }] }),
        db.collection('posts').countDocuments({ mediaDueAt: { $exists: true } }),
      ]);
      if (taken >= requests && open + lacking === 0) return;
      if (performance.now() - saidAt < SAY_MS) continue;
      saidAt = performance.now();
      this.#say(`${taken} of ${requests} requests taken in, ${open} under way, ${lacking} posts lack pictures`);
    }
  }

  async judge(bytes: ByteStore): Promise<ArrivalKillReport> {
    const { database, product } = this.#stage;
    const judgement = await judgeArrivals(database.db, bytes, this.#asked);
    if (hasGap(product.folder)) judgement.wrong.push('the agent says that mentions were lost');
    const mishaps = Object.assign({}, ...this.#all.map((people) => people.mishaps()));
    return { requests: this.#count, kills: this.#kills, mishaps, ...judgement };
  }

  #say(line: string): void {
    this.#options.say?.(line);
  }

  stop(): Promise<void> {
    // No more requests, because the agent stops.
    this.#begun = this.#options.requests;
    return this.#agent.stop();
  }
}

function hasGap(folder: string): boolean {
  const logs = ['agent.log', 'agent.log.old'].map((name) => join(folder, 'logs', name));
  return logs.some((path) => existsSync(path) && readFileSync(path, 'utf8').includes('"alarm":"gap"'));
}
