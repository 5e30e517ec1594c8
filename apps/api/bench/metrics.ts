import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openEmbeddedMongo } from '@archive/embedded-mongo';
import { readConfig } from '../src/config.ts';
import { createContext } from '../src/context.ts';
import { ingestPosts } from '../src/ingest/ingest-posts.ts';
import { generatePosts } from './generate-posts.ts';
import { describeMachine, quantile } from './measure.ts';

const API = resolve(import.meta.dirname, '..');
const POSTS = 1_000;
const AT_ONCE = 8;
const REQUESTS = 400;
const PAIRS_OF_PROCESSES = 4;
const PORTS = [14_510, 14_511] as const;
const METRICS_PORT = 14_512;

const KINDS = {
  'pages that stand ready': '/amber/archives?page=1',
  'a post’s reactions, read from the database': '/amber/reactions/POST',
};

interface Server {
  port: number;
  process: ChildProcess;
}

/**
 * `npm run bench -- metrics [rounds]`: processor time a request of the main thread of two processes on one database, one
 * with metrics and one without, asked in turn. Processes of the same code differ by some percent of themselves, so both
 * are started anew a few times, and the middle of all pairs counts. Linux alone tells the time of one thread.
 */
export async function benchMetrics(args: string[]): Promise<void> {
  const [rounds = 60] = args.map(Number);
  const folder = mkdtempSync(join(tmpdir(), 'bench-metrics-'));
  const mongo = await openEmbeddedMongo({ directory: join(folder, 'mongo'), cacheMegabytes: 256 });
  const env = { MONGODB_URI: mongo.uri, DATA_DIR: folder, RATE_LIMITS: 'off', LOG_LEVEL: 'error' };
  const ratios: Record<string, number[]> = {};
  const plain: Record<string, number[]> = {};
  try {
    const id = await fill(env);
    console.log(describeMachine());
    for (let pair = 0; pair < PAIRS_OF_PROCESSES; pair++) {
      const withMetrics = await start(env, PORTS[pair % 2] as number, { METRICS_PORT: String(METRICS_PORT) });
      const without = await start(env, PORTS[(pair + 1) % 2] as number);
      for (const [kind, path] of Object.entries(KINDS)) {
        const ask = (server: Server) => costOf(server, path.replace('POST', id));
        for (let at = 0; at < 10; at++) for (const server of [withMetrics, without]) await ask(server);
        for (let round = 0; round < rounds; round++) {
          const order = round % 2 === 0 ? [withMetrics, without] : [without, withMetrics];
          const costs = new Map<Server, number>();
          for (const server of order) costs.set(server, await ask(server));
          const [one, other] = [costs.get(withMetrics) as number, costs.get(without) as number];
          ratios[kind] = [...(ratios[kind] ?? []), one / other];
          plain[kind] = [...(plain[kind] ?? []), other];
        }
      }
      await Promise.all([withMetrics, without].map(stop));
    }
    for (const [kind, all] of Object.entries(ratios)) {
      const percent = (part: number) => `${((quantile(all, part) - 1) * 100).toFixed(2)}%`;
      const each = quantile(plain[kind] as number[], 0.5).toFixed(0);
      console.log(`${kind}: ${each} µs a request without; with metrics ${percent(0.5)} more`);
      console.log(`  (a quarter of ${all.length} pairs below ${percent(0.25)}, a quarter above ${percent(0.75)})`);
    }
  } finally {
    await mongo.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Puts posts in; the `_id` of one. */
async function fill(env: Record<string, string>): Promise<string> {
  const context = await createContext(readConfig({ ...env, LOG_LEVEL: 'silent' }), join(API, 'dist/worker.js'));
  await ingestPosts(context, [...generatePosts(POSTS)]);
  const post = await context.database.db.collection('posts').findOne({});
  await context.background.stop();
  return String(post?._id);
}

async function start(env: Record<string, string>, port: number, more: Record<string, string> = {}): Promise<Server> {
  const child = spawn(process.execPath, [join(API, 'dist/main.js')], {
    env: { ...process.env, ...env, ...more, PORT: String(port) },
    stdio: 'inherit',
  });
  for (let tries = 0; tries < 600; tries++) {
    const answer = await fetch(`http://127.0.0.1:${port}/ready`).catch(() => null);
    if (answer?.status === 200) return { port, process: child };
    await delay(100);
  }
  throw new Error('the server did not start');
}

async function stop({ process: child }: Server): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}

const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });

/** Microseconds of the main thread for one of many requests. */
async function costOf({ port, process: child }: Server, path: string): Promise<number> {
  const before = threadTime(child.pid as number);
  let left = REQUESTS;
  const ask = () =>
    new Promise<void>((done, fail) => {
      const asked = request({ port, host: '127.0.0.1', path, agent }, (answer) => answer.resume().on('end', done));
      asked.on('error', fail).end();
    });
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (left-- > 0) await ask();
    }),
  );
  return (threadTime(child.pid as number) - before) / REQUESTS / 1_000;
}

/** Nanoseconds that the main thread of a process has run. */
function threadTime(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]);
}
