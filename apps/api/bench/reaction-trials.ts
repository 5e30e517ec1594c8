import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { type PostReactions, REACTION_TYPES, type ReactionType, type Session } from '@archive/contracts';
import { openEmbeddedMongo } from '@archive/embedded-mongo';
import bs58 from 'bs58';
import nacl from 'tweetnacl';
import { readConfig } from '../src/config.ts';
import { type Context, createContext } from '../src/context.ts';
import { openDatabase } from '../src/db/database.ts';
import { AgentKeyStore } from '../src/ingest/agent-key-store.ts';
import { generatePosts, seeded } from './generate-posts.ts';
import { freePort, type ProductProcess, startProduct, untilReady } from './product-process.ts';

const POSTS = 5;

export interface Visitor {
  address: string;
  token: string;
}

/** A product over a folder of its own, with five posts, to react to. */
export class ReactionStage {
  readonly posts: string[] = [];
  product!: ProductProcess;
  readonly #folder = mkdtempSync(join(tmpdir(), 'reactions-'));
  readonly #dist: string;
  #mongo!: Awaited<ReturnType<typeof openEmbeddedMongo>>;
  #env!: NodeJS.ProcessEnv;
  /** Plain HTTP: a costlier client would take the cores from what is measured. */
  readonly #agent = new Agent({ keepAlive: true });

  private constructor(dist: string) {
    this.#dist = dist;
  }

  static async open(dist: string): Promise<ReactionStage> {
    const stage = new ReactionStage(dist);
    stage.#mongo = await openEmbeddedMongo({ directory: join(stage.#folder, 'mongo'), cacheMegabytes: 256 });
    stage.#env = {
      ...process.env,
      MONGODB_URI: stage.#mongo.uri,
      DATA_DIR: stage.#folder,
      PORT: String(await freePort()),
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'silent',
    };
    await stage.restart();
    const database = await openDatabase(stage.#mongo.uri);
    const { key } = await new AgentKeyStore(database.db).create('stage');
    await database.close();
    const posts = [...generatePosts(POSTS, 3)];
    await stage.call('POST', '/amber/archives', key, { posts });
    stage.posts.push(...posts.map((post) => post.id));
    return stage;
  }

  /** The server's own parts over the same database, without HTTP. */
  openContext(worker: string): Promise<Context> {
    return createContext(readConfig(this.#env), worker, { indexPath: join(this.#folder, 'in-process.sqlite') });
  }

  async restart(): Promise<void> {
    this.product = await startProduct(this.#dist, this.#env);
  }

  async kill(victim: 'api' | 'engine'): Promise<void> {
    if (victim === 'engine') {
      process.kill(this.#mongo.pid() as number, 'SIGKILL');
      await delay(300);
      await untilReady(this.product.url, this.product.child);
    } else {
      this.product.child.kill('SIGKILL');
      await this.restart();
    }
  }

  async call(
    method: string,
    path: string,
    token: string | null,
    body?: object,
  ): Promise<{ status: number; body: unknown }> {
    const payload = body ? JSON.stringify(body) : undefined;
    const sent = request(this.product.url + path, {
      method,
      agent: this.#agent,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(payload ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) } : {}),
      },
      timeout: 20_000,
    });
    sent.on('timeout', () => sent.destroy(new Error('no answer')));
    sent.end(payload);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const answer = await text(response);
    return { status: response.statusCode ?? 0, body: answer ? JSON.parse(answer) : null };
  }

  async signIn(): Promise<Visitor> {
    const signed = await this.signedChallenge();
    const { body } = await this.call('POST', '/amber/auth/verify', null, signed);
    return { address: signed.walletAddress, token: (body as Session).token };
  }

  async signedChallenge(): Promise<{ walletAddress: string; message: string; signature: string }> {
    const pair = nacl.sign.keyPair();
    const walletAddress = bs58.encode(pair.publicKey);
    const { body } = await this.call('POST', '/amber/auth/challenge', null, { walletAddress });
    const message = (body as { challenge: string }).challenge;
    const signature = bs58.encode(nacl.sign.detached(new TextEncoder().encode(message), pair.secretKey));
    return { walletAddress, message, signature };
  }

  set(visitor: Visitor, post: string, type: ReactionType, isOn: boolean) {
    return isOn
      ? this.call('POST', `/amber/reactions/${post}`, visitor.token, { reactionType: type })
      : this.call('DELETE', `/amber/reactions/${post}/${type}`, visitor.token);
  }

  async countsOf(post: string): Promise<PostReactions> {
    return (await this.call('GET', `/amber/reactions/${post}`, null)).body as PostReactions;
  }

  async close(): Promise<void> {
    this.#agent.destroy();
    await this.product.stop();
    await this.#mongo.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

export interface ReactionReport {
  trials: number;
  acknowledged: number;
  /** In words: what was acknowledged and is not so, or counts that do not equal the rows. */
  wrong: string[];
}

/**
 * Reacts and changes profiles from several wallets at once, kills the API or the engine (kill -9) in the middle, and
 * looks whether everything acknowledged is so and every count equals the rows.
 */
export async function runReactionTrials(options: {
  trials: number;
  seed: number;
  dist: string;
  onTrial?: (line: string) => void;
}): Promise<ReactionReport> {
  const random = seeded(options.seed);
  const report: ReactionReport = { trials: 0, acknowledged: 0, wrong: [] };
  const stage = await ReactionStage.open(options.dist);
  try {
    const visitors = await Promise.all(Array.from({ length: 8 }, () => stage.signIn()));
    /** What each wallet was last told; null where the last word is unknown, since the answer never came. */
    const told = new Map<string, boolean | null>();
    const bios = visitors.map(() => ({ acknowledged: 0, sent: 0 }));
    for (; report.trials < options.trials; report.trials++) {
      const victim = report.trials % 2 ? 'engine' : 'api';
      let isOver = false;
      const act = async (visitor: Visitor, index: number) => {
        const bio = bios[index] as { acknowledged: number; sent: number };
        for (let step = 0; !isOver; step++) {
          const post = stage.posts[Math.floor(random() * stage.posts.length)] as string;
          const type = REACTION_TYPES[Math.floor(random() * 3)] as ReactionType;
          const key = `${index} ${post} ${type}`;
          const isOn = random() < 0.5;
          try {
            if (step % 4 === 0) {
              bio.sent++;
              const { status } = await stage.call('PUT', '/amber/auth/profile', visitor.token, {
                bio: String(bio.sent),
              });
              if (status === 200) bio.acknowledged = bio.sent;
            } else {
              told.set(key, null);
              const { status } = await stage.set(visitor, post, type, isOn);
              if (status !== 200) return;
              told.set(key, isOn);
            }
            report.acknowledged++;
          } catch {
            return;
          }
        }
      };
      const work = visitors.map(act);
      await delay(50 + random() * 250);
      const killed = stage.kill(victim);
      await delay(20);
      isOver = true;
      await Promise.all(work);
      await killed;
      report.wrong.push(...(await compare(stage, visitors, told, bios)));
      options.onTrial?.(
        `trial ${report.trials + 1}: killed the ${victim}; ${report.acknowledged} changes acknowledged so far, ${report.wrong.length} wrong`,
      );
    }
  } finally {
    await stage.close();
  }
  return report;
}

async function compare(
  stage: ReactionStage,
  visitors: Visitor[],
  told: Map<string, boolean | null>,
  bios: { acknowledged: number; sent: number }[],
): Promise<string[]> {
  const wrong: string[] = [];
  for (const post of stage.posts) {
    const counted = { heart: 0, thumbsUp: 0, thumbsDown: 0 };
    for (const [index, visitor] of visitors.entries()) {
      const { body } = await stage.call('GET', `/amber/reactions/${post}?walletAddress=${visitor.address}`, null);
      const { userReactions } = body as PostReactions;
      for (const type of REACTION_TYPES) {
        const key = `${index} ${post} ${type}`;
        const isOn = userReactions.includes(type);
        if (isOn) counted[type]++;
        const wanted = told.get(key);
        if (wanted === true && !isOn) wrong.push(`${key} was acknowledged and is gone`);
        if (wanted === false && isOn) wrong.push(`${key} was taken back and is there`);
        told.set(key, isOn);
      }
    }
    const { userReactions: _none, ...counts } = await stage.countsOf(post);
    if (JSON.stringify(counts) !== JSON.stringify(counted)) {
      wrong.push(`${post}: counts ${JSON.stringify(counts)}, rows ${JSON.stringify(counted)}`);
    }
  }
  for (const [index, visitor] of visitors.entries()) {
    const { body } = await stage.call('GET', '/amber/auth/me', visitor.token);
    const bio = Number((body as { profileSettings: { bio: string } }).profileSettings.bio);
    const { acknowledged, sent } = bios[index] as { acknowledged: number; sent: number };
    if (bio < acknowledged || bio > sent) wrong.push(`profile ${index}: ${bio}, acknowledged ${acknowledged}`);
  }
  return wrong;
}
