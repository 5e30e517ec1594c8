import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openEmbeddedMongo } from '@archive/embedded-mongo';
import { generatePosts } from '@archive/testing/generate-posts';
import { type Manifest, readBackupFile } from '../src/backup/backup-file.ts';
import { openDatabase } from '../src/db/database.ts';
import { fingerprintsOf } from '../src/posts/post-document.ts';
import { PostStore } from '../src/posts/post-store.ts';
import { describeMachine, type Row, say, timed, toTable, whole } from './measure.ts';

const CLI = resolve(import.meta.dirname, '../dist/cli.js');
const MILLION = 1_000_000;
const LIMIT_S = 240;
const BATCH = 2_000;
const SAMPLE_MS = 50;

/**
 * `npm run bench -- backup [posts]`: `amber backup` and `amber restore` of generated posts. A second backup must then
 * have the same hashes.
 */
export async function benchBackup(args: string[]): Promise<void> {
  const count = Number(args[0] ?? 200_000);
  const folder = mkdtempSync(join(tmpdir(), 'bench-backup-'));
  const mongo = await openEmbeddedMongo({ directory: join(folder, 'mongo') });
  try {
    const env = { ...process.env, MONGODB_URI: mongo.uri, DATA_DIR: folder };
    const [first, second] = [join(folder, 'first'), join(folder, 'second')];
    const database = await openDatabase(mongo.uri);
    say(`${describeMachine()}; making ${whole(count)} posts`);
    await fill(new PostStore(database.db, database.clock), count);
    const written = await command(['backup', first], env);
    const megabytes = Math.round(statSync(first).size / 1e6);
    await database.db.dropDatabase();
    const restored = await command(['restore', first, '--without-ledger'], env);
    await command(['backup', second], env);
    await database.close();
    const isSame = (await hashesOf(first)) === (await hashesOf(second));
    const row = (what: string, { seconds, peak }: Finished, more: string): Row => ({
      what: `${what}, ${whole(count)} posts`,
      must: 'a million in 240 s',
      got: `${seconds.toFixed(1)} s, ${whole(count / seconds)} posts/s, a million in ${whole((seconds * MILLION) / count)} s at that rate; ${whole(peak)} MB at most; ${more}`,
      isMet: (seconds * MILLION) / count <= LIMIT_S && isSame,
    });
    const rows = [
      row('backup', written, `a file of ${megabytes} MB`),
      row('restore', restored, isSame ? 'every document the same to the byte' : 'documents differ'),
    ];
    console.log(`\n${describeMachine()}\n\n${toTable(rows)}`);
    if (!isSame) process.exitCode = 1;
  } finally {
    await mongo.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function fill(store: PostStore, count: number): Promise<void> {
  let batch: Parameters<PostStore['insert']>[0][number][] = [];
  for (const post of generatePosts(count)) {
    batch.push({ ...post, fingerprint: fingerprintsOf(post).own });
    if (batch.length < BATCH) continue;
    await store.insert(batch);
    batch = [];
  }
  if (batch.length > 0) await store.insert(batch);
}

interface Finished {
  seconds: number;
  /** Maximum of resident megabytes. */
  peak: number;
}

async function command(args: string[], env: NodeJS.ProcessEnv): Promise<Finished> {
  const child = spawn(process.execPath, [CLI, ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  let peak = 0;
  const sampler = setInterval(() => {
    peak = Math.max(peak, peakOf(child));
  }, SAMPLE_MS);
  const { ms } = await timed(async () => {
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`${args[0]} ended with ${code}`);
  });
  clearInterval(sampler);
  return { seconds: ms / 1_000, peak };
}

function peakOf({ pid }: ChildProcess): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024;
  } catch {
    return 0;
  }
}

async function hashesOf(file: string): Promise<string> {
  const reading = readBackupFile(file);
  for (;;) {
    const next: IteratorResult<unknown, Manifest> = await reading.next();
    if (next.done) return JSON.stringify(next.value.collections);
  }
}
