import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openEmbeddedMongo } from '@archive/embedded-mongo';
import { benchHttp } from './archive-http.ts';
import { benchInProcess } from './archive-in-process.ts';
import { importBesideServer, indexOf, PORT, startWithIndex, startWithoutIndex } from './archive-server.ts';
import { describeMachine, type Row, Rows, say, toTable, whole } from './measure.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

/**
 * `npm run bench -- archive [posts]`: imports a million seeded posts, then measures every figure of the archive in one
 * run together with its comparison. The data stay in DATA_DIR/bench-POSTS and are used again; `--fresh` deletes them
 * first.
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
  const { rate, most, grown, server } = await importBesideServer(folder, count, env);
  writeFileSync(join(folder, 'imported'), '');
  const rows = new Rows();
  rows.push({
    what: 'import into MongoDB and index',
    must: '8,000 posts/s, flat memory',
    got: `${whole(rate)} posts/s; importer ${whole(most)} MB at most, ${whole(grown)} MB between its least and most after the first quarter; the server ${whole(server)} MB`,
    isMet: rate >= 8_000,
  });
  return rows;
}

async function benchStart(folder: string, env: NodeJS.ProcessEnv): Promise<Row[]> {
  const isIndexed = existsSync(indexOf(folder)) && !process.argv.includes('--rebuild');
  const absent = isIndexed ? undefined : (await startWithoutIndex(folder, env)).seconds;
  const { seconds: present } = await startWithIndex(env);
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
