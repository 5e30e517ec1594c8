import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type ArchiveFilter,
  type ArchiveSort,
  CATEGORIES,
  foldText,
  SORT_FIELDS,
  SORT_ORDERS,
} from '@archive/contracts';
import { openEmbeddedMongo } from '@archive/embedded-mongo';
import { ObjectId } from 'mongodb';
import { getMeta, openForReading, Query } from '../src/archive-index/index-file.ts';
import { getAnalytics } from '../src/archives/get-analytics.ts';
import { readConfig } from '../src/config.ts';
import { type Context, createContext } from '../src/context.ts';
import { generatePosts, seeded } from './generate-posts.ts';
import { describeMachine, ms, p50, p95, type Row, residentMegabytes, timed, toTable } from './measure.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const API = join(ROOT, 'apps/api');
const PORT = 4790;
const SORT: ArchiveSort = { sortBy: 'timestamp', sortOrder: 'desc' };

/**
 * `npm run bench -- archive [posts]`: a million seeded posts through the importer, then every figure of the archive in
 * one run beside its peer. What was made stays in DATA_DIR/bench and is used again; `--fresh` begins anew.
 */
export async function benchArchive(args: string[]): Promise<void> {
  const count = Number(args.find((arg) => /^\d+$/.test(arg)) ?? 1_000_000);
  const folder = join(process.env['DATA_DIR'] ?? join(ROOT, '.data'), `bench-${count}`);
  if (args.includes('--fresh')) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const rows: Row[] = [];
  say(`${describeMachine()}; ${count.toLocaleString('en-US')} posts in ${folder}`);

  const mongo = await openEmbeddedMongo({ directory: join(folder, 'mongo'), cacheMegabytes: 2_048 });
  try {
    const env = { ...process.env, MONGODB_URI: mongo.uri, DATA_DIR: folder, PORT: String(PORT), RATE_LIMITS: 'off' };
    if (!existsSync(join(folder, 'imported'))) rows.push(...(await benchImport(folder, count, env)));
    rows.push(...(await benchStart(folder, env)));
    rows.push(...(await benchInProcess(mongo.uri, folder)));
    rows.push(...(await benchHttp(mongo.uri, folder, env)));
  } finally {
    await mongo.close();
  }
  console.log(`\n${describeMachine()}\n\n${toTable(rows)}`);
}

async function benchImport(folder: string, count: number, env: NodeJS.ProcessEnv): Promise<Row[]> {
  const file = join(folder, 'posts.ndjson');
  if (!existsSync(file)) {
    say('generating');
    const out = createWriteStream(`${file}.part`);
    for (const post of generatePosts(count)) {
      if (!out.write(`${JSON.stringify(post)}\n`)) await once(out, 'drain');
    }
    out.end();
    await once(out, 'finish');
    await run('mv', [`${file}.part`, file], folder);
  }
  say('importing beside a running server');
  const api = await startApi(env);
  const startedAt = performance.now();
  const importer = spawn(process.execPath, [join(API, 'dist/cli.js'), 'import', file], {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const memory: number[] = [];
  const sampler = setInterval(() => {
    try {
      memory.push(residentMegabytes(importer.pid as number).all);
    } catch {
      // It has just ended.
    }
  }, 500);
  const [code] = (await once(importer, 'exit')) as [number];
  clearInterval(sampler);
  if (code !== 0) throw new Error('the import failed');
  while ((await totalOf(api.url)) < count) await delay(100);
  const seconds = (performance.now() - startedAt) / 1000;
  say('waiting for the index to be merged');
  await untilTidy(join(folder, 'index', `archive-${PORT}.sqlite`));
  await api.stop();
  createWriteStream(join(folder, 'imported')).end();
  const half = memory.slice(Math.floor(memory.length / 4));
  const grown = Math.max(...half) - Math.min(...half);
  const rate = count / seconds;
  const rows = new Rows();
  rows.push({
    what: 'import into MongoDB and index',
    must: '8,000 posts/s, flat memory',
    got: `${whole(rate)} posts/s; importer ${whole(Math.max(...memory))} MB at most, ${whole(grown)} MB between its least and most after the first quarter`,
    isMet: rate >= 8_000,
  });
  return rows;
}

async function benchStart(folder: string, env: NodeJS.ProcessEnv): Promise<Row[]> {
  const index = join(folder, 'index');
  let absent: number | undefined;
  if (!existsSync(join(index, `archive-${PORT}.sqlite`)) || process.argv.includes('--rebuild')) {
    rmSync(index, { recursive: true, force: true });
    say('starting without an index');
    const built = await timed(() => startApi(env));
    absent = built.ms / 1000;
    await built.value.stop();
  }
  say('starting with an index');
  const started = await timed(() => startApi(env));
  await started.value.stop();
  const present = started.ms / 1000;
  const rows: Row[] = [
    { what: 'start, index present', must: 'ready in 5 s', got: `${present.toFixed(1)} s`, isMet: present <= 5 },
  ];
  if (absent !== undefined) {
    rows.push({
      what: 'start, index absent',
      must: 'ready in 90 s with progress',
      got: `${absent.toFixed(0)} s`,
      isMet: absent <= 90,
    });
  }
  return rows;
}

/** What the server does for a question, without HTTP: the index thread, the message to it and back, and MongoDB. */
async function benchInProcess(uri: string, folder: string): Promise<Row[]> {
  const config = readConfig({ MONGODB_URI: uri, DATA_DIR: folder, PORT: String(PORT), LOG_LEVEL: 'silent' });
  const context = await createContext(config, join(API, 'dist/worker.js'));
  await context.follower.start();
  try {
    const rows = new Rows();
    const filters = questions(600);
    say('first pages and totals');
    const first: number[] = [];
    const longTotals: number[] = [];
    const shortTotals: number[] = [];
    const stalls = monitorEventLoopDelay({ resolution: 1 });
    await warmUp(context, filters.slice(0, 60));
    stalls.enable();
    for (const filter of filters.slice(60)) {
      const { ms: all, value } = await timed(async () => {
        const answer = await context.index.list({
          filter,
          sort: SORT,
          offset: 0,
          limit: 12,
          split: true,
          now: Date.now(),
        });
        await context.archives.findInOrder(answer.oids);
        return answer;
      });
      first.push(all - value.spent.total);
      const isShort = [filter.search, filter.author, filter.content].some(
        (text) => text && Array.from(text).length < 3,
      );
      (isShort ? shortTotals : longTotals).push(value.spent.total);
    }
    stalls.disable();
    const stall = stalls.max / 1e6;
    rows.push({
      what: 'first 12 of any search or filter combination',
      must: 'p50 2 ms, p95 10 ms',
      got: `p50 ${ms(p50(first))}, p95 ${ms(p95(first))} (${first.length} questions)`,
      isMet: p50(first) <= 2 && p95(first) <= 10,
    });
    rows.push({
      what: 'exact total, 3 letters and more',
      must: 'p95 25 ms',
      got: `p50 ${ms(p50(longTotals))}, p95 ${ms(p95(longTotals))} (${longTotals.length})`,
      isMet: p95(longTotals) <= 25,
    });
    rows.push({
      what: 'exact total, 1-2 letters',
      must: 'p95 300 ms; no stall over 20 ms',
      got: `p50 ${ms(p50(shortTotals))}, p95 ${ms(p95(shortTotals))} (${shortTotals.length}); longest stall ${ms(stall)}`,
      isMet: p95(shortTotals) <= 300 && stall <= 20,
    });

    say('any page, any sort');
    const random = seeded(5);
    const { total } = await context.index
      .list({ filter: {}, sort: SORT, offset: 0, limit: 12, split: true, now: Date.now() })
      .then((answer) => answer.stats);
    const deep: number[] = [];
    for (let i = 0; i < 400; i++) {
      const sort = { sortBy: pick(SORT_FIELDS, random), sortOrder: pick(SORT_ORDERS, random) };
      const filter: ArchiveFilter = i % 4 === 0 ? { category: pick(CATEGORIES, random) } : {};
      const size = filter.category ? total / 10 : total;
      const offset = Math.floor((random() * size) / 12) * 12;
      const { ms: spent } = await timed(async () => {
        const { oids } = await context.index.list({ filter, sort, offset, limit: 12, split: true, now: Date.now() });
        await context.archives.findInOrder(oids);
      });
      deep.push(spent);
    }
    rows.push({
      what: 'any page number, any sort',
      must: 'p95 60 ms',
      got: `p50 ${ms(p50(deep))}, p95 ${ms(p95(deep))} (400 pages, a quarter of them within a category)`,
      isMet: p95(deep) <= 60,
    });

    const figures: number[] = [];
    for (let i = 0; i < 200; i++) {
      const { ms: spent } = await timed(async () => {
        await getAnalytics(context);
        await context.index.list({ filter: {}, sort: SORT, offset: 0, limit: 1, split: false, now: Date.now() });
      });
      figures.push(spent);
    }
    rows.push({
      what: 'stats + analytics',
      must: 'p95 6 ms',
      got: `p50 ${ms(p50(figures))}, p95 ${ms(p95(figures))}`,
      isMet: p95(figures) <= 6,
    });
    return rows;
  } finally {
    await context.close();
  }
}

async function benchHttp(uri: string, folder: string, env: NodeJS.ProcessEnv): Promise<Row[]> {
  const rows = new Rows();
  const api = await startApi(env);
  const context = await createContext(
    readConfig({ MONGODB_URI: uri, DATA_DIR: folder, PORT: String(PORT + 1), LOG_LEVEL: 'silent' }),
    join(API, 'dist/worker.js'),
    { indexPath: join(folder, 'peer.sqlite') },
  );
  try {
    say('page 1 over HTTP');
    const url = `${api.url}/amber/archives?split=featured`;
    const times: number[] = [];
    for (let i = 0; i < 1_500; i++) {
      const { ms: spent } = await timed(async () => (await fetch(url)).arrayBuffer());
      if (i >= 500) times.push(spent);
    }
    rows.push({
      what: 'page 1 without filter, over HTTP',
      must: 'p50 1 ms, p95 3 ms',
      got: `p50 ${ms(p50(times))}, p95 ${ms(p95(times))}`,
      isMet: p50(times) <= 1 && p95(times) <= 3,
    });
    const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
    rows.push(await benchThroughput(url, bytes));

    say('search over HTTP beside raw FTS5');
    rows.push(await benchBesideRaw(api.url, folder, context));

    say('export of everything');
    rows.push(await benchExport(api, context));
  } finally {
    await context.close();
    rmSync(join(folder, 'peer.sqlite'), { force: true });
    await api.stop();
  }
  return rows;
}

/** Requests per second in turns, ours beside Express and plain Node sending the same bytes. */
async function benchThroughput(url: string, bytes: Buffer): Promise<Row> {
  const peers = await startPeers(bytes);
  const rates: Record<string, number[]> = { ours: [], express: [], node: [] };
  for (let round = 0; round < 4; round++) {
    for (const [name, target] of [
      ['ours', url],
      ['express', peers.express],
      ['node', peers.node],
    ] as const) {
      const rate = await load(target);
      // The first round warms up.
      if (round > 0) rates[name]?.push(rate);
    }
  }
  await peers.stop();
  const [ours = 0, expressRate = 1, node = 1] = ['ours', 'express', 'node'].map((name) => p50(rates[name] ?? []));
  return {
    what: 'page 1, requests/s on one process',
    must: '10,000, or 70% of Express sending ready bytes',
    got: `${whole(ours)}/s`,
    beside: `${percent(ours / expressRate)} of Express (${whole(expressRate)}/s), ${percent(ours / node)} of node:http (${whole(node)}/s)`,
    isMet: ours >= 10_000 || ours / expressRate >= 0.7,
  };
}

async function startPeers(bytes: Buffer): Promise<{ express: string; node: string; stop(): Promise<void> }> {
  const child = spawn(process.execPath, ['--import', 'tsx', join(API, 'bench/peers.ts')], {
    cwd: ROOT,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(bytes);
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const { express: first, node } = JSON.parse(line.toString()) as { express: number; node: number };
  return {
    express: `http://127.0.0.1:${first}/`,
    node: `http://127.0.0.1:${node}/`,
    stop: async () => {
      child.kill();
      await once(child, 'exit');
    },
  };
}

async function load(url: string): Promise<number> {
  const script = join(API, 'node_modules/autocannon/autocannon.js');
  const child = spawn(process.execPath, [script, '-c', '50', '-d', '4', '--json', url], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let text = '';
  for await (const chunk of child.stdout) text += chunk;
  const result = JSON.parse(text) as { requests: { average: number }; non2xx: number; errors: number };
  if (result.non2xx + result.errors > 0) throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed`);
  return result.requests.average;
}

async function benchBesideRaw(base: string, folder: string, context: Context): Promise<Row> {
  const db = openForReading(join(folder, 'index', `archive-${PORT}.sqlite`));
  const first = new Query<{ oid: Uint8Array }>(
    db,
    `SELECT post.oid FROM (SELECT rowid AS r FROM search WHERE search MATCH ? ORDER BY rowid DESC LIMIT 12) CROSS JOIN post ON post.rank = r`,
  );
  const total = new Query<{ n: number }>(db, 'SELECT count(*) AS n FROM search WHERE search MATCH ?');
  const posts = context.database.db.collection('posts');
  const terms = questions(900)
    .map((filter) => filter.search)
    .filter((term): term is string => term !== undefined && Array.from(term).length >= 3);
  const ours: number[] = [];
  const raw: number[] = [];
  for (const [index, term] of [...new Set(terms)].entries()) {
    const rawTime = await timed(async () => {
      const match = `"${foldText(term).replaceAll('"', '""')}"`;
      const oids = first.all(match);
      total.all(match);
      return posts.find({ _id: { $in: oids.map(({ oid }) => new ObjectId(oid)) } }).toArray();
    });
    const ourTime = await timed(async () =>
      (await fetch(`${base}/amber/archives?search=${encodeURIComponent(term)}`)).json(),
    );
    if (index < 40) continue;
    raw.push(rawTime.ms);
    ours.push(ourTime.ms);
  }
  db.close();
  const ratio = p50(ours) / p50(raw);
  return {
    what: 'search over HTTP: first 12 and total',
    must: 'at most 2 times raw FTS5 plus one find by _id',
    got: `p50 ${ms(p50(ours))}, p95 ${ms(p95(ours))} (${ours.length} terms)`,
    beside: `${ratio.toFixed(2)} times raw at p50 (${ms(p50(raw))}), ${(p95(ours) / p95(raw)).toFixed(2)} at p95`,
    isMet: ratio <= 2,
  };
}

async function benchExport(api: Api, context: Context): Promise<Row> {
  const idle = residentMegabytes(api.pid);
  let peak = idle;
  const sampler = setInterval(() => {
    const now = residentMegabytes(api.pid);
    peak = { all: Math.max(peak.all, now.all), own: Math.max(peak.own, now.own) };
  }, 100);
  const startedAt = performance.now();
  const response = await fetch(`${api.url}/amber/archives/export`);
  let rows = 0;
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) rows++;
  }
  const rate = rows / ((performance.now() - startedAt) / 1000);
  clearInterval(sampler);
  const bare = await timed(async () => {
    const fields = { id: 1, content: 1, author: 1, authorUsername: 1, category: 1, timestamp: 1, url: 1 };
    const cursor = context.database.db.collection('posts').find({}, { projection: fields, batchSize: 1_000 });
    let read = 0;
    for await (const _post of cursor) read++;
    return read;
  });
  const bareRate = bare.value / (bare.ms / 1000);
  return {
    what: 'CSV of everything',
    must: '60,000 rows/s, at most 150 MB above idle',
    got: `${whole(rate)} lines/s; ${whole(peak.all - idle.all)} MB above idle (${whole(peak.own - idle.own)} MB of it not pages of files)`,
    beside: `${percent(rate / bareRate)} of a bare cursor over the same fields that writes nothing (${whole(bareRate)}/s)`,
    isMet: rate >= 60_000 && peak.all - idle.all <= 150,
  };
}

/** Says each row as it comes, so that a run cut short has still told something. */
class Rows extends Array<Row> {
  override push(...rows: Row[]): number {
    for (const row of rows)
      say(`  ${row.what}: ${row.got}${row.beside ? `; ${row.beside}` : ''}${row.isMet ? '' : '  SHORT'}`);
    return super.push(...rows);
  }
}

interface Api {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

async function startApi(env: NodeJS.ProcessEnv): Promise<Api> {
  const child = spawn(process.execPath, [join(API, 'dist/main.js')], {
    env: { ...env, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const url = `http://127.0.0.1:${PORT}`;
  for (let shown = 0; ; ) {
    if (child.exitCode !== null) throw new Error('the API ended while starting');
    const answer = await fetch(`${url}/ready`).catch(() => undefined);
    if (answer?.ok) break;
    const { done = 0, total = 0 } = answer ? ((await answer.json()) as { done: number; total: number }) : {};
    if (done - shown >= 200_000) {
      shown = done;
      say(`  ${done.toLocaleString('en-US')} of ${total.toLocaleString('en-US')} indexed`);
    }
    await delay(25);
  }
  return {
    url,
    pid: child.pid as number,
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

/** Seeded questions of every kind, from the words the posts really hold. */
export function questions(count: number): ArchiveFilter[] {
  const random = seeded(99);
  const sample = [...generatePosts(2_000, 1)];
  const piece = (text: string, length: number): string => {
    const points = Array.from(text);
    const from = Math.floor(random() * Math.max(1, points.length - length));
    return points.slice(from, from + length).join('');
  };
  const word = (text: string) => pick(text.split(/\s+/), random);
  const kinds: ((post: (typeof sample)[number]) => ArchiveFilter)[] = [
    (post) => ({ search: word(post.content) }),
    (post) => ({ search: Array.from(word(post.content)).slice(0, 4).join('') }),
    (post) => ({ search: post.content.split(/\s+/).slice(1, 3).join(' ') }),
    (post) => ({ search: piece(post.content, 5) }),
    (post) => ({ search: post.authorUsername.slice(0, 6) }),
    (post) => ({ search: piece(post.content, 2) }),
    (post) => ({ search: `zq${word(post.content)}` }),
    (post) => ({ search: word(post.content), category: pick(CATEGORIES, random) }),
    (post) => ({ search: word(post.content), startDate: '2026-08-01', endDate: '2026-10-31' }),
    (post) => ({ author: post.author.slice(0, 5) }),
    (post) => ({ author: post.author.slice(0, 4), content: word(post.content), category: pick(CATEGORIES, random) }),
    () => ({ category: pick(CATEGORIES, random), startDate: '2025-01-01' }),
    (post) => ({ handle: post.authorUsername }),
  ];
  return Array.from({ length: count }, (_, index) =>
    (kinds[index % kinds.length] as (typeof kinds)[number])(pick(sample, random)),
  );
}

async function warmUp(context: Context, filters: ArchiveFilter[]): Promise<void> {
  for (const filter of filters) {
    const { oids } = await context.index.list({
      filter,
      sort: SORT,
      offset: 0,
      limit: 12,
      split: true,
      now: Date.now(),
    });
    await context.archives.findInOrder(oids);
  }
}

async function untilTidy(path: string): Promise<void> {
  const db = openForReading(path);
  for (let waited = 0; waited < 1_200 && Number(getMeta(db, 'loose') ?? 0) > 0; waited++) await delay(250);
  db.close();
}

async function totalOf(url: string): Promise<number> {
  const answer = (await (await fetch(`${url}/amber/archives?limit=1`)).json()) as { pagination: { total: number } };
  return answer.pagination.total;
}

function pick<T>(list: readonly T[], random: () => number): T {
  return list[Math.floor(random() * list.length)] as T;
}

async function run(command: string, args: string[], cwd: string): Promise<void> {
  const [code] = (await once(spawn(command, args, { cwd, stdio: 'inherit' }), 'exit')) as [number];
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} failed`);
}

function say(line: string): void {
  console.error(`[bench] ${line}`);
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

function percent(value: number): string {
  return `${Math.round(value * 100)}%`;
}
