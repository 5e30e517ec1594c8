import { type ChildProcess, fork } from 'node:child_process';
import { channel, subscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openEmbeddedMongo } from '@archive/embedded-mongo';
import { generatePosts } from '@archive/testing/generate-posts';
import { createApp } from '../src/app.ts';
import { listen } from '../src/channels.ts';
import { readConfig } from '../src/config.ts';
import { createContext } from '../src/context.ts';
import { SOCKETS } from '../src/http/sockets.ts';
import { ingestPosts } from '../src/ingest/ingest-posts.ts';
import { Flows } from '../src/metrics/flows.ts';
import { Metrics } from '../src/metrics/metrics.ts';
import { describeMachine, ms, quantile, type Row, Rows, toTable } from './measure.ts';

const API = resolve(import.meta.dirname, '..');
const POSTS = 1_000;
const REQUESTS = 400;
/** Requests after which a channel with a new listener has its normal speed again. */
const SETTLING = 200;
const WARM_UP = 5;
const SCRAPES = 20;
const SCRAPE_EVERY_MS = 15_000;
const MOST = 0.01;
const ANSWERED = 'http.server.response.finish';
const TOLD = 1_000_000;

const KINDS = {
  'pages that stand ready': '/amber/archives?page=1',
  'a post’s reactions, read from the database': '/amber/reactions/POST',
};

/**
 * `npm run bench -- metrics [rounds]`: processor time of the main thread per request, with the request metrics on and
 * off in turn in the same server: two processes of the same code differ by more than the cost in question. A round is
 * off, on, off, so that drift affects both alike. Linux only, because only Linux tells the time of one thread.
 */
export async function benchMetrics(args: string[]): Promise<void> {
  const [rounds = 60] = args.map(Number);
  const rows = new Rows();
  const folder = mkdtempSync(join(tmpdir(), 'bench-metrics-'));
  const mongo = await openEmbeddedMongo({ directory: join(folder, 'mongo'), cacheMegabytes: 256 });
  const ended = (code: number | null) => {
    throw new Error(`who asks has ended with ${code}`);
  };
  const asker = fork(join(import.meta.dirname, 'asker.ts'), { execArgv: ['--import', 'tsx'] }).once('exit', ended);
  const env = { MONGODB_URI: mongo.uri, DATA_DIR: folder, RATE_LIMITS: 'off', LOG_LEVEL: 'error' };
  const context = await createContext(readConfig(env), join(API, 'dist/worker.js'));
  const server = createServer(SOCKETS, createApp(context, folder));
  try {
    const sent = JSON.parse(JSON.stringify([...generatePosts(POSTS)])) as unknown[];
    const { created } = await ingestPosts(context, sent);
    if (created !== POSTS) throw new Error(`of ${POSTS} posts ${created} were kept`);
    await context.background.start();
    const post = await context.database.db.collection('posts').findOne({});
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    const requests: number[] = [];
    for (const [what, path] of Object.entries(KINDS)) {
      const url = `http://127.0.0.1:${port}${path.replace('POST', String(post?._id))}`;
      const { row, requestUs } = await compare(what, (times) => costOf(asker, url, times), rounds);
      rows.push(row);
      requests.push(requestUs);
    }
    rows.push(costOfListening(Math.min(...requests)));
    rows.push(await costOfScrape(new Metrics(context, { port: 0, host: '127.0.0.1' }, { keptMs: 0 })));
  } finally {
    server.closeAllConnections();
    server.close();
    asker.off('exit', ended).kill();
    await context.background.stop();
    await mongo.close();
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`\n${describeMachine()}\n\n${toTable(rows)}`);
  if (rows.some((row) => !row.isMet)) process.exitCode = 1;
}

async function compare(
  what: string,
  ask: (times: number) => Promise<number>,
  rounds: number,
): Promise<{ row: Row; requestUs: number }> {
  const flows = new Flows();
  keepHeard();
  const counted = async (): Promise<number[]> => {
    flows.start();
    const costs = await settled();
    flows.stop();
    return costs;
  };
  const settled = async (): Promise<number[]> => {
    await ask(SETTLING);
    return [await ask(REQUESTS), await ask(REQUESTS)];
  };
  for (let at = 0; at < WARM_UP; at++) {
    await settled();
    await counted();
  }
  const plain: number[] = [];
  const shares: number[] = [];
  // The same rounds without metrics. Their differences are chance.
  const chances: number[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const [between, into] of [
      [counted, shares],
      [settled, chances],
    ] as const) {
      const before = await settled();
      const spent = await between();
      const after = await settled();
      plain.push(...before, ...after);
      into.push((2 * sum(spent)) / sum([...before, ...after]) - 1);
    }
  }
  const more = quantile(shares, 0.5);
  const chance = quantile(chances, 0.5);
  const requestUs = quantile(plain, 0.5);
  const row = {
    what: `${what}, counted`,
    must: `${percent(MOST)} more`,
    got: `${percent(more)} more of ${requestUs.toFixed(0)} µs, ${spread(shares)}`,
    beside: `nothing counted: ${percent(chance)}, ${spread(chances)}`,
    isMet: more < MOST,
  };
  return { row, requestUs };
}

/**
 * The first listener of a Node channel turns it into another kind of object, and compiled code is discarded. An archive
 * does so once at its start, a round of this bench each time. So the bench always keeps a listener, and the cost of
 * that is a separate row.
 */
function keepHeard(): void {
  subscribe(ANSWERED, nothing);
  for (const name of ['rpc', 'refusal', 'wait', 'push'] as const) listen(name, nothing);
}

/** The cost of a listener in Node: an object per answer, and a call. */
function costOfListening(requestUs: number): Row {
  const own = channel('bench:answered');
  own.subscribe(nothing);
  const tellAll = () => {
    for (let at = 0; at < TOLD; at++) own.publish({ request: at, response: own, socket: own, server: own });
  };
  tellAll();
  const before = threadMicroseconds();
  tellAll();
  const us = (threadMicroseconds() - before) / TOLD;
  return {
    what: 'listening to the end of answers, of a page that stands ready',
    must: `${percent(MOST)} more`,
    got: `${percent(us / requestUs)} more, ${us.toFixed(2)} µs`,
    isMet: us / requestUs < MOST,
  };
}

function nothing(): void {}

async function costOfScrape(metrics: Metrics): Promise<Row> {
  await metrics.start();
  const url = `http://127.0.0.1:${metrics.port}/metrics`;
  const scrape = async () => void (await (await fetch(url)).text());
  for (let at = 0; at < SCRAPES; at++) await scrape();
  const before = threadMicroseconds();
  for (let at = 0; at < SCRAPES; at++) await scrape();
  const spentMs = (threadMicroseconds() - before) / SCRAPES / 1_000;
  await metrics.stop();
  const share = spentMs / SCRAPE_EVERY_MS;
  return {
    what: 'a scrape, asked for and read in the same thread, each 15 s',
    must: `${percent(MOST)} of a core`,
    got: `${ms(spentMs)}, ${percent(share)}`,
    isMet: share < MOST,
  };
}

/** Microseconds of the main thread per request, averaged over many. */
async function costOf(asker: ChildProcess, url: string, times: number): Promise<number> {
  const before = threadMicroseconds();
  const done = once(asker, 'message');
  asker.send({ url, times });
  await done;
  return (threadMicroseconds() - before) / times;
}

/** Processor time of the main thread of this process, in microseconds. */
function threadMicroseconds(): number {
  return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1_000;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/**
 * How far the median of these values may be off by chance: the standard error of the median of a normal distribution.
 */
function spread(values: readonly number[]): string {
  const quarters = quantile(values, 0.75) - quantile(values, 0.25);
  return `± ${percent((0.93 * quarters) / Math.sqrt(values.length))}`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)}%`;
}
