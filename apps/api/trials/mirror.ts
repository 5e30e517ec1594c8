import { setTimeout as delay } from 'node:timers/promises';
import type { Post } from '@archive/contracts';
import { type ApiProcess, freePort, startApi } from '@archive/processes';
import { call, TestWallet } from '@archive/testing';
import { generatePosts, seeded } from '@archive/testing/generate-posts';
import { pick } from '../bench/archive-questions.ts';
import { AgentKeyStore } from '../src/accounts/agent-key-store.ts';
import { Ledger, ledgerFolder } from '../src/ledger/ledger.ts';
import { LedgerFiles } from '../src/ledger/ledger-files.ts';
import { PostChanges } from '../src/posts/post-changes.ts';
import { isRemoved } from '../src/posts/post-document.ts';
import { PostStore } from '../src/posts/post-store.ts';
import { SealedPostStore } from '../src/posts/sealed-post-store.ts';
import { Stage } from './stage.ts';

const POSTS = 500;
const WALLETS = 5;
/** Longest pause between two changes, and between two requests of the copy. */
const CHANGE_MS = 120;
const FOLLOW_MS = 4_000;
/** Longest pause between two kills of the second process. */
const KILL_MS = 120_000;
const AGAIN_MS = 200;

export interface MirrorReport {
  acts: Record<string, number>;
  follows: number;
  lines: number;
  kills: number;
  /** Requests repeated because the answer was cut off or refused. */
  again: number;
  posts: number;
  wrong: string[];
}

/**
 * A copy follows `export?since=`, with one cursor for two processes in turn. Meanwhile posts are written, changed and
 * removed through both, and the second process is killed. In the end the copy must equal a complete export.
 */
export async function runMirror(options: {
  minutes: number;
  seed: number;
  onMinute?: (line: string) => void;
}): Promise<MirrorReport> {
  const random = seeded(options.seed);
  const report: MirrorReport = { acts: {}, follows: 0, lines: 0, kills: 0, again: 0, posts: 0, wrong: [] };
  const stage = await Stage.open({ posts: POSTS });
  const { product, database } = stage;
  const start = (port: number) =>
    startApi({ port, mongodbUri: product.mongo.uri, dataDir: product.folder, env: product.env });
  const port = await freePort();
  let second: ApiProcess = await start(port);
  const urls = [product.url, second.url];
  const ledger = new Ledger(ledgerFolder(product.folder), database.clock, new LedgerFiles(database.db).register);
  const store = new PostStore(database.db, database.clock, undefined, ledger);
  const sealed = new SealedPostStore(database.db, database.clock, new PostChanges(), ledger);
  const copy = new Map<string, Post>();
  const endsAt = performance.now() + options.minutes * 60_000;
  const isOver = () => performance.now() > endsAt;

  const change = async () => {
    const { key } = await new AgentKeyStore(database.db).create('mirror');
    const posts = generatePosts(1_000_000, options.seed + 1);
    const wallets = Array.from({ length: WALLETS }, () => new TestWallet());
    const tokens = await Promise.all(wallets.map(async (wallet) => (await wallet.signIn(product)).token));
    while (!isOver()) {
      const at = random();
      const known = copy.size > 0 ? await store.find(pick([...copy.keys()], random)) : null;
      const url = pick(urls, random);
      let act = 'saved';
      if (!known || isRemoved(known) || at < 0.4) {
        await call({ url }, 'POST', '/amber/archives', key, { posts: [posts.next().value] }).catch(() => {});
      } else if (at < 0.5) {
        act = 'featured';
        await store.setFeatured(known._id, random() < 0.5);
      } else if (at < 0.55) {
        act = 'launched';
        await store.setLaunched(known._id, random() < 0.5);
      } else if (at < 0.8) {
        act = 'reacted';
        const body = { reactionType: pick(['heart', 'thumbsUp', 'thumbsDown'], random) };
        await call({ url }, 'POST', `/amber/reactions/${known._id}`, pick(tokens, random), body).catch(() => {});
      } else if (at < 0.9) {
        act = 'removed';
        await store.remove(known._id);
      } else {
        act = 'sealed';
        await sealed.seal(known, 'x', 'deleted', database.clock.now());
        if (random() < 0.5) await sealed.unseal(known._id, database.clock.now());
      }
      report.acts[act] = (report.acts[act] ?? 0) + 1;
      await delay(random() * CHANGE_MS);
    }
  };

  const kill = async () => {
    while (!isOver()) {
      await delay(Math.min(random() * KILL_MS, Math.max(0, endsAt - performance.now())));
      second.process.kill('SIGKILL');
      await second.ended;
      second = await start(port);
      report.kills++;
    }
  };

  /** Applies the changes once the answer is complete. Returns the next cursor. */
  const follow = async (since: string): Promise<string> => {
    for (;;) {
      const text = await ask(`${pick(urls, random)}/amber/archives/export?format=ndjson&since=${since}`);
      const lines = (text ?? '').trim().split('\n');
      const last = lines.pop() ?? '';
      if (text === null || !last.startsWith('{"cursor":')) {
        report.again++;
        await delay(AGAIN_MS);
        continue;
      }
      for (const line of lines.filter((line) => line !== '')) {
        const told = JSON.parse(line) as Post & { removed?: true };
        if (told.removed) copy.delete(told._id);
        else copy.set(told._id, told);
        report.lines++;
      }
      report.follows++;
      return (JSON.parse(last) as { cursor: string }).cursor;
    }
  };

  try {
    let cursor = await follow('begin');
    const changing = Promise.all([change(), kill()]);
    changing.catch(() => {});
    for (let told = performance.now(); !isOver(); ) {
      cursor = await follow(cursor);
      await delay(random() * FOLLOW_MS);
      if (performance.now() - told < 60_000) continue;
      told = performance.now();
      options.onMinute?.(`${copy.size} posts, ${report.follows} follows, ${report.kills} kills`);
    }
    await changing;
    await follow(cursor);
    report.posts = copy.size;
    for (const url of urls) report.wrong.push(...differences(copy, await wholeArchive(url)));
  } finally {
    await second.stop();
    await ledger.close();
    await stage.close();
  }
  return report;
}

/** Returns null if the process is down, is busy, or ended during the answer. */
async function ask(address: string): Promise<string | null> {
  try {
    const answer = await fetch(address);
    const text = await answer.text();
    if (answer.ok) return text;
    if (answer.status === 503 || answer.status === 429) return null;
    throw new Error(`${address} is answered ${answer.status}: ${text}`);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

async function wholeArchive(url: string): Promise<Map<string, Post>> {
  for (;;) {
    const text = await ask(`${url}/amber/archives/export?format=json`);
    if (text !== null) return new Map((JSON.parse(text) as Post[]).map((post) => [post._id, post]));
    await delay(AGAIN_MS);
  }
}

function differences(copy: Map<string, Post>, archive: Map<string, Post>): string[] {
  const wrong = [...copy.keys()].filter((id) => !archive.has(id)).map((id) => `${id} is in the copy alone`);
  for (const [id, post] of archive) {
    const own = copy.get(id);
    if (own === undefined) wrong.push(`${id} is missing in the copy`);
    else if (withoutOthers(own) !== withoutOthers(post)) wrong.push(`${id} is another in the copy`);
  }
  return wrong;
}

/** The post without its parts of other posts: these change with those posts, which have lines of their own. */
function withoutOthers(post: Post): string {
  return JSON.stringify({ ...post, quoted: null, replyTo: null, thread: null });
}
