import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type ApiProcess, startApi } from '@archive/processes';
import { generatePosts, withMedia } from '@archive/testing/generate-posts';
import { untilTidy } from './archive-questions.ts';
import { residentMegabytes, say, timed } from './measure.ts';

export const CLI = resolve(import.meta.dirname, '../dist/cli.js');

export const PORT = 4790;
const SAMPLE_MS = 500;

export function indexOf(folder: string): string {
  return join(folder, 'index', `archive-${PORT}.sqlite`);
}

/** Starts the built API with the bench's folder and database. */
export function startArchive(env: NodeJS.ProcessEnv): Promise<ApiProcess> {
  const { MONGODB_URI = '', DATA_DIR = '' } = env;
  return startApi({
    port: PORT,
    mongodbUri: MONGODB_URI,
    dataDir: DATA_DIR,
    env: { ...env, LOG_LEVEL: 'error', WEB_DIR: undefined },
    onProgress: say,
  });
}

export async function totalOf(url: string): Promise<number> {
  const answer = (await (await fetch(`${url}/amber/archives?limit=1`)).json()) as { pagination: { total: number } };
  return answer.pagination.total;
}

interface Imported {
  /** Posts per second. */
  rate: number;
  /** The importer's resident megabytes: the maximum (`most`), and the range after its first quarter (`grown`). */
  most: number;
  grown: number;
}

/** Imports generated posts while nothing else runs. */
export async function importPosts(folder: string, count: number, env: NodeJS.ProcessEnv): Promise<Imported> {
  const file = await postsFile(folder, count);
  say('importing');
  const startedAt = performance.now();
  const memory = await runImporter(file, env);
  return { rate: (count / (performance.now() - startedAt)) * 1_000, ...memory };
}

/**
 * Imports beside a running server. The rate is until its index holds the posts; the function then waits until the index
 * is merged. `server` is the server's maximum of megabytes, without mapped files.
 */
export async function importBesideServer(
  folder: string,
  count: number,
  env: NodeJS.ProcessEnv,
): Promise<Imported & { server: number }> {
  const file = await postsFile(folder, count);
  say('importing beside a running server');
  const api = await startArchive(env);
  let server = 0;
  const sampler = setInterval(() => {
    server = Math.max(server, residentMegabytes(api.process.pid as number).own);
  }, SAMPLE_MS);
  const startedAt = performance.now();
  const memory = await runImporter(file, env);
  while ((await totalOf(api.url)) < count) await delay(100);
  const rate = (count / (performance.now() - startedAt)) * 1_000;
  clearInterval(sampler);
  say('waiting for the index to be merged');
  await untilTidy(indexOf(folder));
  await api.stop();
  return { rate, ...memory, server };
}

/** Imports other generated posts. Returns the seconds until `isFound` was first true. */
export async function importMore(
  folder: string,
  {
    count,
    seed,
    env,
    isFound,
  }: { count: number; seed: number; env: NodeJS.ProcessEnv; isFound: () => Promise<boolean> },
): Promise<number> {
  const file = join(folder, 'more.ndjson');
  await writePosts(file, count, seed);
  say('importing more beside a running server');
  const startedAt = performance.now();
  await runImporter(file, env);
  while (!(await isFound())) await delay(100);
  rmSync(file);
  return (performance.now() - startedAt) / 1_000;
}

async function runImporter(file: string, env: NodeJS.ProcessEnv): Promise<Pick<Imported, 'most' | 'grown'>> {
  const importer = spawn(process.execPath, [CLI, 'import', file], { env, stdio: ['ignore', 'inherit', 'inherit'] });
  const memory: number[] = [];
  const sampler = setInterval(() => {
    try {
      memory.push(residentMegabytes(importer.pid as number).all);
    } catch {
      // The process has just ended.
    }
  }, SAMPLE_MS);
  const [code] = (await once(importer, 'exit')) as [number];
  clearInterval(sampler);
  if (code !== 0) throw new Error('the import failed');
  const later = memory.slice(Math.floor(memory.length / 4));
  return { most: Math.max(...memory), grown: Math.max(...later) - Math.min(...later) };
}

/** The file of generated posts; made if it is missing. */
async function postsFile(folder: string, count: number): Promise<string> {
  const file = join(folder, 'posts.ndjson');
  if (!existsSync(file)) await writePosts(file, count);
  return file;
}

async function writePosts(file: string, count: number, seed?: number): Promise<void> {
  say('generating');
  const out = createWriteStream(`${file}.part`);
  for (const post of withMedia(generatePosts(count, seed))) {
    if (!out.write(`${JSON.stringify(post)}\n`)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
  renameSync(`${file}.part`, file);
}

interface Started {
  /** Seconds until the server was ready. */
  seconds: number;
  /** Memory of the server then, in megabytes, without mapped files. */
  memory: number;
}

/** Measures the start of a server without an index. */
export async function startWithoutIndex(folder: string, env: NodeJS.ProcessEnv): Promise<Started> {
  rmSync(join(folder, 'index'), { recursive: true, force: true });
  say('starting without an index');
  return startAndStop(env);
}

/** Measures the start of a server with its index. */
export function startWithIndex(env: NodeJS.ProcessEnv): Promise<Started> {
  say('starting with an index');
  return startAndStop(env);
}

async function startAndStop(env: NodeJS.ProcessEnv): Promise<Started> {
  const { ms, value } = await timed(() => startArchive(env));
  const memory = residentMegabytes(value.process.pid as number).own;
  await value.stop();
  return { seconds: ms / 1000, memory };
}
