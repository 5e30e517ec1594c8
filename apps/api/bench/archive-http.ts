import { rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join, resolve } from 'node:path';
import { foldText } from '@archive/contracts';
import type { ApiProcess } from '@archive/processes';
import { openForReading, Query } from '@archive/search/sqlite/index-file';
import { ObjectId } from 'mongodb';
import { readConfig } from '../src/config.ts';
import { type Context, createContext } from '../src/context.ts';
import { questions } from './archive-questions.ts';
import { indexOf, PORT, startArchive } from './archive-server.ts';
import { ms, p50, p95, percent, type Row, Rows, residentMegabytes, say, timed, whole } from './measure.ts';
import { requestsPerSecond, startPlainServers } from './plain-peers.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const API = join(ROOT, 'apps/api');

export async function benchHttp(uri: string, folder: string, env: NodeJS.ProcessEnv): Promise<Row[]> {
  const rows = new Rows();
  const api = await startArchive(env);
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
    await context.background.stop();
    rmSync(join(folder, 'peer.sqlite'), { force: true });
    await api.stop();
  }
  return rows;
}

/** Requests per second in turns: the product, and Express and plain Node that send the same bytes. */
async function benchThroughput(url: string, bytes: Buffer): Promise<Row> {
  const plain = await startPlainServers(bytes);
  const rates: Record<string, number[]> = { ours: [], express: [], node: [] };
  for (let round = 0; round < 4; round++) {
    for (const [name, target] of [
      ['ours', url],
      ['express', plain.express],
      ['node', plain.node],
    ] as const) {
      const rate = await requestsPerSecond(target);
      // The first round is a warm-up.
      if (round > 0) rates[name]?.push(rate);
    }
  }
  await plain.stop();
  const [ours = 0, expressRate = 1, node = 1] = ['ours', 'express', 'node'].map((name) => p50(rates[name] ?? []));
  return {
    what: 'page 1, requests/s on one process',
    must: '10,000, or 70% of Express sending ready bytes',
    got: `${whole(ours)}/s`,
    beside: `${percent(ours / expressRate)} of Express (${whole(expressRate)}/s), ${percent(ours / node)} of node:http (${whole(node)}/s)`,
    isMet: ours >= 10_000 || ours / expressRate >= 0.7,
  };
}

/**
 * Compares searches over HTTP with the same question to the index file: alone (`raw`), and with a database query for
 * its first 12 posts (`withFind`).
 */
async function benchBesideRaw(base: string, folder: string, context: Context): Promise<Row> {
  const db = openForReading(indexOf(folder));
  const first = new Query<{ oid: Uint8Array }>(
    db,
    `SELECT post.oid FROM (SELECT rowid AS r FROM search WHERE search MATCH ? ORDER BY rowid DESC LIMIT 12) CROSS JOIN post ON post.rank = r`,
  );
  const total = new Query<{ n: number }>(db, 'SELECT count(*) AS n FROM search WHERE search MATCH ?');
  const posts = context.database.db.collection('posts');
  const terms = questions(900)
    .map((filter) => filter.search)
    .filter((term): term is string => term !== undefined && Array.from(term).length >= 3);
  const agent = new Agent({ keepAlive: true });
  const ours: number[] = [];
  const raw: number[] = [];
  const withFind: number[] = [];
  for (const [index, term] of [...new Set(terms)].entries()) {
    const match = `"${foldText(term).replaceAll('"', '""')}"`;
    const rawTime = await timed(() => {
      const oids = first.all(match);
      total.all(match);
      return oids;
    });
    const findTime = await timed(() =>
      posts.find({ _id: { $in: rawTime.value.map(({ oid }) => new ObjectId(oid)) } }).toArray(),
    );
    const ourTime = await timed(() => read(`${base}/amber/archives?search=${encodeURIComponent(term)}`, agent));
    if (index < 40) continue;
    raw.push(rawTime.ms);
    withFind.push(rawTime.ms + findTime.ms);
    ours.push(ourTime.ms);
  }
  agent.destroy();
  db.close();
  const [atP50, atP95] = [p50(ours) / p50(raw), p95(ours) / p95(raw)];
  return {
    what: 'search over HTTP: first 12 and total',
    must: 'of raw FTS5 1.6 times at p50, 1.1 at p95',
    got: `p50 ${ms(p50(ours))}, p95 ${ms(p95(ours))} (${ours.length} terms): ${atP50.toFixed(2)} and ${atP95.toFixed(2)} times`,
    beside: `raw ${ms(p50(raw))} and ${ms(p95(raw))}; with a find of the 12 by _id ${ms(p50(withFind))} and ${ms(p95(withFind))}, of which ${(p50(ours) / p50(withFind)).toFixed(2)} and ${(p95(ours) / p95(withFind)).toFixed(2)} times`,
    isMet: atP50 <= 1.6 && atP95 <= 1.1,
  };
}

/** Reads an answer to its end with a minimal client, because the client runs on the server's cores. */
function read(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`a search was answered ${response.statusCode}`));
      response.on('end', resolve).on('error', reject).resume();
    }).on('error', reject);
  });
}

async function benchExport(api: ApiProcess, context: Context): Promise<Row> {
  const idle = residentMegabytes(api.process.pid as number);
  let peak = idle;
  const sampler = setInterval(() => {
    const now = residentMegabytes(api.process.pid as number);
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
