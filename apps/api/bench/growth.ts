import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ArchiveSort } from '@archive/contracts';
import { openEmbeddedMongo } from '@archive/embedded-mongo';
import { seeded } from '@archive/testing/generate-posts';
import { readConfig } from '../src/config.ts';
import { type Context, createContext } from '../src/context.ts';
import { askPage, NEWEST_FIRST, questions, warmUp } from './archive-questions.ts';
import { importPosts, indexOf, PORT, startArchive, startWithIndex, startWithoutIndex } from './archive-server.ts';
import { describeMachine, p50, p95, residentMegabytes, say, timed, whole } from './measure.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const WORKER = resolve(import.meta.dirname, '../dist/worker.js');
const QUESTIONS = 400;
const PAGES = 100;
/** Names for the factor by which the cost grows when the number of posts grows tenfold; upper limits. */
const GROWTH: [times: number, called: string][] = [
  [1.5, 'flat'],
  [5, 'less than linear'],
  [15, 'linear'],
  [Number.POSITIVE_INFINITY, 'more than linear'],
];

/**
 * The costs at one size, by the name of the measurement; the name tells the unit (seconds, milliseconds, bytes,
 * megabytes).
 */
type Costs = Record<string, number>;

/**
 * `npm run bench -- growth 100000 1000000 …`: measures the same figures at each size, and prints a table of cost
 * against size. The costs of a size are kept in DATA_DIR/growth-N/growth.json and measured again only with `--fresh`.
 */
export async function benchGrowth(args: string[]): Promise<void> {
  const sizes = args
    .filter((arg) => /^\d+$/.test(arg))
    .map(Number)
    .sort((one, other) => one - other);
  if (sizes.length === 0) sizes.push(100_000, 1_000_000);
  const all: Costs[] = [];
  for (const size of sizes) {
    const folder = join(process.env['DATA_DIR'] ?? join(ROOT, '.data'), `growth-${size}`);
    const kept = join(folder, 'growth.json');
    if (args.includes('--fresh')) rmSync(folder, { recursive: true, force: true });
    if (!existsSync(kept)) writeFileSync(kept, JSON.stringify(await measureSize(folder, size)));
    all.push(JSON.parse(readFileSync(kept, 'utf8')) as Costs);
  }
  console.log(`\n${describeMachine()}\n\n${growthTable(sizes, all)}`);
}

async function measureSize(folder: string, count: number): Promise<Costs> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  say(`${whole(count)} posts in ${folder}`);
  const mongo = await openEmbeddedMongo({ directory: join(folder, 'mongo'), cacheMegabytes: 2_048 });
  try {
    const env = { ...process.env, MONGODB_URI: mongo.uri, DATA_DIR: folder, PORT: String(PORT), RATE_LIMITS: 'off' };
    const { rate, most } = await importPosts(folder, count, env);
    rmSync(join(folder, 'posts.ndjson'));
    const built = await startWithoutIndex(folder, env);
    const costs: Costs = {
      'import, µs a post': 1e6 / rate,
      "importer's memory at most, MB": most,
      'start without an index, s': built.seconds,
      'start with it, s': (await startWithIndex(env)).seconds,
      "server's memory having built it, MB": built.memory,
    };
    const index = statSync(indexOf(folder)).size;
    costs['index, bytes a post'] = index / count;
    costs['write-ahead log after it all, MB'] = sizeOf(`${indexOf(folder)}-wal`) / 1e6;
    return { ...costs, ...(await measureReading(mongo.uri, folder, count)), ...(await measureServer(folder, env)) };
  } finally {
    await mongo.close();
  }
}

/** The time of questions in the server, without HTTP. */
async function measureReading(uri: string, folder: string, count: number): Promise<Costs> {
  const config = readConfig({ MONGODB_URI: uri, DATA_DIR: folder, PORT: String(PORT), LOG_LEVEL: 'silent' });
  const context = await createContext(config, WORKER);
  await context.posts.follower.start();
  try {
    const asked = questions(QUESTIONS).filter(({ search }) => search !== undefined);
    const long = asked.filter(({ search = '' }) => Array.from(search).length > 2);
    const short = asked.filter(({ search = '' }) => Array.from(search).length <= 2);
    await warmUp(context, long.slice(0, 30));
    const first: number[] = [];
    const totals: number[] = [];
    for (const filter of long.slice(30)) {
      const { ms, value } = await timed(() => askPage(context, filter));
      first.push(ms - value.spent.total);
      totals.push(value.spent.total);
    }
    const counts: number[] = [];
    for (const filter of short) counts.push((await askPage(context, filter)).spent.total);
    return {
      'first 12 of a search, p50 ms': p50(first),
      'first 12 of a search, p95 ms': p95(first),
      'its total, p50 ms': p50(totals),
      'its total, p95 ms': p95(totals),
      'total of two letters, p50 ms': p50(counts),
      'deep page, newest first, p50 ms': await measurePages(context, NEWEST_FIRST, count),
      'deep page by author, p50 ms': await measurePages(context, { sortBy: 'author', sortOrder: 'asc' }, count),
      'deep page by text, p50 ms': await measurePages(context, { sortBy: 'content', sortOrder: 'asc' }, count),
      'a common word sorted by text, ms': (
        await timed(() => askPage(context, { search: 'the' }, { sortBy: 'content', sortOrder: 'asc' }))
      ).ms,
    };
  } finally {
    await context.background.stop();
  }
}

/** The median time of pages at random offsets of an order. */
async function measurePages(context: Context, sort: ArchiveSort, count: number): Promise<number> {
  const random = seeded(count);
  const times: number[] = [];
  for (let i = 0; i < PAGES; i++) {
    const offset = Math.floor((random() * count) / 12) * 12;
    times.push((await timed(() => askPage(context, {}, sort, offset))).ms);
  }
  return p50(times);
}

/**
 * The time of a complete export by the built server, and its memory after every kind of question, without mapped files.
 */
async function measureServer(folder: string, env: NodeJS.ProcessEnv): Promise<Costs> {
  const api = await startArchive(env);
  let memory = 0;
  const sampler = setInterval(() => {
    memory = Math.max(memory, residentMegabytes(api.process.pid as number).own);
  }, 100);
  try {
    const exported = await timed(async () => {
      const response = await fetch(`${api.url}/amber/archives/export`);
      for await (const _ of response.body as unknown as AsyncIterable<Uint8Array>);
    });
    for (const filter of questions(QUESTIONS)) {
      const query = new URLSearchParams(
        Object.entries(filter).map(([name, value]): [string, string] => [name, String(value)]),
      );
      await (await fetch(`${api.url}/amber/archives?${query}`)).arrayBuffer();
    }
    return { 'export of everything, s': exported.ms / 1000, "server's memory at most, MB": memory };
  } finally {
    clearInterval(sampler);
    await api.stop();
    say(`measured ${folder}`);
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function growthTable(sizes: number[], all: Costs[]): string {
  const [least, most] = [all[0], all.at(-1)];
  const decades = Math.log10((sizes.at(-1) as number) / (sizes[0] as number));
  const lines = Object.keys(most ?? {}).map((what) => {
    const figures = all.map((costs) => figure(costs[what]));
    const tenfold = ((most?.[what] ?? 0) / (least?.[what] ?? 0)) ** (1 / decades);
    return `| ${[what, ...figures, decades > 0 ? describeGrowth(tenfold) : ''].join(' | ')} |`;
  });
  return [
    `| | ${sizes.map(whole).join(' | ')} | for ten times the posts |`,
    `|---|${'---|'.repeat(sizes.length + 1)}`,
    ...lines,
  ].join('\n');
}

function figure(value: number | undefined): string {
  if (value === undefined) return '';
  return value >= 100 ? whole(value) : value.toPrecision(2);
}

function describeGrowth(tenfold: number): string {
  if (!Number.isFinite(tenfold)) return '';
  const [, called] = GROWTH.find(([times]) => tenfold <= times) ?? [];
  return called ? `${tenfold.toFixed(1)} times: ${called}` : '';
}
