import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openEmbeddedMongo } from '@archive/embedded-mongo';
import { type LocalSearch, missingForSearch, openLocalSearch } from '@archive/local-search';
import { type ApiProcess, startApi } from '@archive/processes';
import { type Document, MongoClient, ObjectId } from 'mongodb';
import { ensureIndexes } from '../src/db/indexes.ts';
import { questions } from './archive-questions.ts';
import { CLI, importMore, importPosts, totalOf } from './archive-server.ts';
import {
  describeMachine,
  ms,
  p50,
  p95,
  type Row,
  Rows,
  residentMegabytes,
  say,
  timed,
  toTable,
  whole,
} from './measure.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
/** Posts that are imported. Above this number, copies under other ids are added. */
const IMPORTED = 1_000_000;
/** Up to this number both engines run at once: one machine has room for both. */
const BESIDE = 1_000_000;
const PORTS = { file: 4791, cluster: 4792 };
const TERMS = 400;
const FAR = 500_000;
const EXPORTED = 50_000;
/** Posts that are imported while the server runs. */
const ADDED = 100_000;
const HEAP_MEGABYTES = 1_024;

type Engine = keyof typeof PORTS;

/**
 * `npm run bench -- scale [posts] [file|cluster]`: asks the index file and a search cluster of three nodes the same
 * questions. The data stay in DATA_DIR/scale-POSTS and are used again.
 */
export async function benchScale(args: string[]): Promise<void> {
  const missing = missingForSearch();
  if (missing) throw new Error(`the search cluster cannot run here: ${missing}`);
  const count = Number(args.find((arg) => /^\d+$/.test(arg)) ?? IMPORTED);
  const folder = join(process.env['DATA_DIR'] ?? join(ROOT, '.data'), `scale-${count}`);
  mkdirSync(folder, { recursive: true });
  say(`${describeMachine()}; ${whole(count)} posts in ${folder}`);
  const rows = new Rows();
  const mongo = await openEmbeddedMongo({ directory: join(folder, 'mongo'), cacheMegabytes: 2_048 });
  try {
    await seed(mongo.uri, folder, count);
    const heapMegabytes = HEAP_MEGABYTES;
    const named = (['cluster', 'file'] as const).filter((engine) => args.includes(engine));
    if (count <= BESIDE && named.length === 0) {
      const cluster = await openLocalSearch({ folder: join(folder, 'cluster'), heapMegabytes });
      try {
        const file = await start('file', mongo.uri, folder, rows, count);
        const shared = await start('cluster', mongo.uri, folder, rows, count, cluster);
        await compare({ file, cluster: shared }, rows);
        await file.stop();
        await shared.stop();
        await compareImports(
          [
            ['file', undefined],
            ['cluster', cluster],
          ],
          mongo.uri,
          folder,
          rows,
        );
      } finally {
        await cluster.close();
      }
    } else {
      for (const engine of named.length > 0 ? named : (['cluster', 'file'] as const)) {
        const cluster =
          engine === 'cluster' ? await openLocalSearch({ folder: join(folder, 'cluster'), heapMegabytes }) : undefined;
        try {
          const api = await start(engine, mongo.uri, folder, rows, count, cluster);
          await compare({ [engine]: api }, rows);
          await api.stop();
          await compareImports([[engine, cluster]], mongo.uri, folder, rows);
        } finally {
          await cluster?.close();
        }
      }
    }
  } finally {
    await mongo.close();
  }
  console.log(`\n${describeMachine()}; ${whole(count)} posts\n\n${toTable(rows)}`);
}

async function seed(uri: string, folder: string, count: number): Promise<void> {
  const first = Math.min(count, IMPORTED);
  const env = { ...process.env, MONGODB_URI: uri, DATA_DIR: folder, PORT: String(PORTS.file), RATE_LIMITS: 'off' };
  if (!existsSync(join(folder, 'imported'))) await importPosts(folder, first, env);
  writeFileSync(join(folder, 'imported'), '');
  const client = await MongoClient.connect(uri);
  try {
    const db = client.db('amber');
    const posts = db.collection('posts');
    const copies = Math.floor((await posts.countDocuments()) / first);
    if (copies >= count / first) return await ensureIndexes(db);
    // A run that was cut off may have left a part of a copy.
    await posts.deleteMany({ copied: { $gte: copies } });
    // Making the indexes once at the end takes a fraction of the time that each copy would spend on them.
    await posts.dropIndexes();
    for (let copy = copies; copy < count / first; copy++) {
      say(`copying ${whole(first)} posts, ${copy + 1} of ${count / first}`);
      let batch: Document[] = [];
      for await (const post of posts.find({ copied: { $exists: false } }).limit(first)) {
        const id = `${post['id']}-${copy}`;
        batch.push({ ...post, _id: new ObjectId(), id, ids: [id], fingerprint: id, copied: copy });
        if (batch.length < 2_000) continue;
        await posts.insertMany(batch, { ordered: false });
        batch = [];
      }
      if (batch.length > 0) await posts.insertMany(batch, { ordered: false });
    }
    say('making the indexes of the database');
    await ensureIndexes(db);
  } finally {
    await client.close();
  }
}

function optionsOf(engine: Engine, mongodbUri: string, folder: string, cluster?: LocalSearch) {
  const env = {
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
    WEB_DIR: undefined,
    ...(cluster && { SEARCH_URL: cluster.url, SEARCH_SHARDS: '2', SEARCH_REPLICAS: '0' }),
  };
  return { port: PORTS[engine], mongodbUri, dataDir: folder, env, onProgress: say };
}

/** Starts the API and waits until it answers lists: with a cluster a process is ready before its index is built. */
async function startListing(options: Parameters<typeof startApi>[0]): Promise<ApiProcess> {
  const api = await startApi(options);
  while ((await fetch(`${api.url}/amber/archives?limit=1`)).status !== 200) await delay(200);
  return api;
}

/** Measures an import per engine alone, until all its posts are found. */
async function compareImports(
  engines: [engine: Engine, cluster: LocalSearch | undefined][],
  uri: string,
  folder: string,
  rows: Rows,
): Promise<void> {
  const client = await MongoClient.connect(uri);
  const posts = client.db('amber').collection('posts');
  let ofFile: number | undefined;
  try {
    for (const [engine, cluster] of engines) {
      const api = await startListing(optionsOf(engine, uri, folder, cluster));
      const env = {
        ...process.env,
        MONGODB_URI: uri,
        DATA_DIR: folder,
        PORT: String(PORTS[engine]),
        RATE_LIMITS: 'off',
      };
      // The seed differs for each import, because the archive grows.
      const seed = await totalOf(api.url);
      let wanted: number | undefined;
      const seconds = await importMore(folder, {
        count: ADDED,
        seed,
        env,
        isFound: async () => {
          wanted ??= await posts.countDocuments({ timestamp: { $type: 'date' } });
          return (await totalOf(api.url)) === wanted;
        },
      });
      await api.stop();
      const rate = ADDED / seconds;
      const isShort = ofFile !== undefined && rate < ofFile * 0.6;
      rows.push({
        what: `${engine}: an import beside it, until all is found`,
        must: ofFile === undefined ? '' : '0.6 of the rate of the file',
        got: `${whole(rate)} posts/s (${whole(seconds)} s)`,
        isMet: !isShort,
      });
      if (engine === 'file') ofFile = rate;
    }
  } finally {
    await client.close();
  }
}

async function start(
  engine: Engine,
  mongodbUri: string,
  folder: string,
  rows: Rows,
  count: number,
  cluster?: LocalSearch,
): Promise<ApiProcess> {
  const isBuilt = existsSync(join(folder, `built-${engine}`));
  const options = optionsOf(engine, mongodbUri, folder, cluster);
  say(`starting with the ${engine}`);
  const { ms: spent, value: api } = await timed(() => startListing(options));
  const seconds = spent / 1_000;
  const bytes = bytesOf(engine === 'file' ? join(folder, 'index') : join(folder, 'cluster'));
  const memory = cluster
    ? cluster.nodes.reduce((sum, { process: { pid } }) => sum + residentMegabytes(pid as number).all, 0)
    : residentMegabytes(api.process.pid as number).all;
  const size = `${whole(bytes / count)} bytes a post, ${whole(memory)} MB resident`;
  if (isBuilt) rows.push({ what: `${engine}: there already`, must: '', got: size, isMet: true });
  else {
    const rate = count / seconds;
    rows.push({
      what: `${engine}: built from the database until it answers`,
      must: engine === 'cluster' ? '6,000 posts/s' : '',
      got: `${whole(rate)} posts/s (${whole(seconds)} s); ${size}`,
      isMet: engine === 'file' || rate >= 6_000,
    });
    writeFileSync(join(folder, `built-${engine}`), '');
    if (cluster && count <= BESIDE) rows.push(await buildAgain(options, count));
  }
  return api;
}

/** Builds the cluster's index a second time: during the first build the nodes compile their code. */
async function buildAgain({ env, mongodbUri, dataDir }: ReturnType<typeof optionsOf>, count: number): Promise<Row> {
  say('building the index of the cluster again');
  const settings = { ...process.env, ...env, MONGODB_URI: mongodbUri, DATA_DIR: dataDir };
  const { ms: spent } = await timed(() =>
    promisify(execFile)(process.execPath, [CLI, 'index', 'build'], { env: settings }),
  );
  const rate = (count / spent) * 1_000;
  const got = `${whole(rate)} posts/s (${whole(spent / 1_000)} s)`;
  return { what: 'cluster: built again by the command', must: '6,000 posts/s', got, isMet: rate >= 6_000 };
}

/** Asks each question of the running engines in turn. */
async function compare(apis: Partial<Record<Engine, ApiProcess>>, rows: Rows): Promise<void> {
  const searches = questions(TERMS * 12)
    .map(({ search }) => search)
    .filter((search): search is string => search !== undefined && Array.from(search).length >= 3);
  const [terms, others] = [[...new Set(searches)].slice(0, TERMS), [...new Set(searches)].slice(TERMS)];
  // Warm-up: a fresh engine still compiles its code, and its caches are empty. After 420 questions the cluster still
  // took 23 ms at p50, after 1,790 questions 14 ms.
  for (const api of Object.values(apis)) {
    for (const term of others) await read(`${api.url}/amber/archives?search=${encodeURIComponent(term)}`);
  }
  const encode = encodeURIComponent;
  const few = terms.slice(0, 60);
  const asked: [what: string, paths: string[]][] = [
    ['first 12 and total of a search', terms.map((term) => `/amber/archives?search=${encode(term)}`)],
    ['most reacted of a search', few.map((term) => `/amber/archives?sortBy=reactions&search=${encode(`${term} `)}`)],
    [
      'typed letter by letter',
      few.flatMap((term) => lettersOf(term).map((text) => `/amber/archives?search=${encode(text)}`)),
    ],
    ['timeline of a search', few.map((term) => `/amber/timeline?search=${encode(term)}`)],
    ['explore', ['/amber/explore', '/amber/explore?again', '/amber/explore?once']],
    [
      `a page at offset ${whole(FAR)}`,
      sortsOf().map((sort) => `/amber/archives?limit=12&page=${Math.floor(FAR / 12)}&${sort}`),
    ],
  ];
  for (const [what, paths] of asked) {
    const times: Partial<Record<Engine, number[]>> = {};
    for (const path of paths) {
      for (const [engine, api] of Object.entries(apis) as [Engine, ApiProcess][]) {
        const { ms: spent } = await timed(() => read(api.url + path));
        times[engine] = [...(times[engine] ?? []), spent];
      }
    }
    rows.push(rowOf(what, times));
  }
  for (const [engine, api] of Object.entries(apis)) {
    const { ms: spent, value } = await timed(() =>
      readLines(`${api.url}/amber/archives/export?format=ndjson`, EXPORTED),
    );
    const rate = (value / spent) * 1_000;
    rows.push({ what: `${engine}: export`, must: '5,000 posts/s', got: `${whole(rate)}/s`, isMet: rate >= 5_000 });
  }
}

function rowOf(what: string, { file, cluster }: Partial<Record<Engine, number[]>>): Row {
  const tell = (times: number[]) => `p50 ${ms(p50(times))}, p95 ${ms(p95(times))}`;
  if (!file || !cluster) return { what, must: '', got: tell(file ?? cluster ?? []), isMet: true };
  const [at50, at95] = [p50(cluster) / p50(file), p95(cluster) / p95(file)];
  return {
    what,
    must: what.startsWith('first 12') ? 'of the file 1.5 times at p50, 2 at p95' : '',
    got: `cluster ${tell(cluster)}: ${at50.toFixed(2)} and ${at95.toFixed(2)} times`,
    beside: `file ${tell(file)}`,
    isMet: !what.startsWith('first 12') || (at50 <= 1.5 && at95 <= 2),
  };
}

function lettersOf(term: string): string[] {
  const letters = Array.from(term.slice(0, 8));
  return letters
    .map((_, at) => letters.slice(0, at + 1).join(''))
    .filter((text) => text.trim() !== '' && text.isWellFormed());
}

function sortsOf(): string[] {
  return ['timestamp', 'saved', 'reactions', 'author', 'content'].map((sortBy) => `sortBy=${sortBy}&sortOrder=asc`);
}

async function read(url: string): Promise<void> {
  const answer = await fetch(url);
  const body = await answer.text();
  if (answer.status !== 200) throw new Error(`${url}: ${answer.status} ${body.slice(0, 300)}`);
}

/** Reads `most` lines, then disconnects. */
async function readLines(url: string, most: number): Promise<number> {
  const left = new AbortController();
  const answer = await fetch(url, { signal: left.signal });
  let lines = 0;
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    for (const byte of chunk) if (byte === 10) lines++;
    if (lines >= most) break;
  }
  left.abort();
  return lines;
}

function bytesOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
