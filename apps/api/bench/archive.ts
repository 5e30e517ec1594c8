import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openEmbeddedMongo } from '@archive/embedded-mongo';
import { benchHttp } from './archive-http.ts';
import { benchInProcess } from './archive-in-process.ts';
import { untilTidy } from './archive-questions.ts';
import { PORT, startArchive, totalOf } from './archive-server.ts';
import { generatePosts } from './generate-posts.ts';
import { describeMachine, type Row, Rows, residentMegabytes, say, timed, toTable, whole } from './measure.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const API = join(ROOT, 'apps/api');

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
  const api = await startArchive(env);
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
    const built = await timed(() => startArchive(env));
    absent = built.ms / 1000;
    await built.value.stop();
  }
  say('starting with an index');
  const started = await timed(() => startArchive(env));
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

async function run(command: string, args: string[], cwd: string): Promise<void> {
  const [code] = (await once(spawn(command, args, { cwd, stdio: 'inherit' }), 'exit')) as [number];
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} failed`);
}
