import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { IngestReport } from '@archive/contracts';
import { openEmbeddedMongo } from '@archive/embedded-mongo';
import { MongoClient } from 'mongodb';
import { checkIndex } from '../src/archive-index/check-index.ts';
import { ArchiveStore } from '../src/archives/archive-store.ts';
import { openDatabase } from '../src/db/database.ts';
import { AgentKeyStore } from '../src/ingest/agent-key-store.ts';
import { generatePosts, seeded } from './generate-posts.ts';
import { freePort, startProduct, untilReady } from './product-process.ts';

const VICTIMS = ['api', 'engine', 'importer'] as const;
const BATCH = 50;
const IMPORTED = 20_000;
const SENT_BATCHES = 200;

export interface CrashReport {
  trials: number;
  killed: Record<(typeof VICTIMS)[number], number>;
  acknowledged: number;
  lost: string[];
  /** Differences between index and database after the restart. */
  differences: string[];
}

/**
 * Kills the API, the engine or the importer (kill -9) at random moments of an import and of batches posted to the ingest
 * call; restarts what died, lets the import go on, and looks for every acknowledged post and every line of the file.
 * `dist` is the folder of the built API.
 */
export async function runCrashTrials(options: {
  trials: number;
  seed: number;
  dist: string;
  onTrial?: (line: string) => void;
}): Promise<CrashReport> {
  const random = seeded(options.seed);
  const report: CrashReport = {
    trials: 0,
    killed: { api: 0, engine: 0, importer: 0 },
    acknowledged: 0,
    lost: [],
    differences: [],
  };
  for (; report.trials < options.trials; report.trials++) {
    const victim = VICTIMS[report.trials % VICTIMS.length] as (typeof VICTIMS)[number];
    const killAfterMs = 200 + random() * 2_000;
    const { acknowledged } = await runTrial(
      options.dist,
      victim,
      killAfterMs,
      options.seed * 1_000 + report.trials,
      report,
    );
    report.killed[victim]++;
    report.acknowledged += acknowledged;
    options.onTrial?.(
      `trial ${report.trials + 1}: killed the ${victim} after ${Math.round(killAfterMs)} ms; ${acknowledged} posts acknowledged`,
    );
  }
  return report;
}

async function runTrial(
  dist: string,
  victim: (typeof VICTIMS)[number],
  killAfterMs: number,
  seed: number,
  report: CrashReport,
) {
  const folder = mkdtempSync(join(tmpdir(), 'crash-'));
  const mongo = await openEmbeddedMongo({ directory: join(folder, 'mongo'), cacheMegabytes: 256 });
  const env = {
    ...process.env,
    MONGODB_URI: mongo.uri,
    DATA_DIR: folder,
    PORT: String(await freePort()),
    LOG_LEVEL: 'silent',
  };
  let api = await startProduct(dist, env);
  let importer: ChildProcess | undefined;
  try {
    const file = join(folder, 'posts.ndjson');
    const fromFile = [...generatePosts(IMPORTED, seed)];
    writeFileSync(file, fromFile.map((post) => `${JSON.stringify(post)}\n`).join(''));
    const key = await withDatabase(mongo.uri, (database) => new AgentKeyStore(database.db).create('trial'));
    importer = startImport(dist, file, env);
    const sending = sendBatches(env.PORT, key.key, seed);
    await delay(killAfterMs);
    if (victim === 'engine') process.kill(mongo.pid() as number, 'SIGKILL');
    else if (victim === 'api') api.child.kill('SIGKILL');
    else importer.kill('SIGKILL');
    const acknowledged = await sending;
    if (importer.exitCode === null && importer.signalCode === null) await once(importer, 'exit');
    // The import is begun again until it ends well: it goes on where it was cut off.
    for (let tries = 0; importer.exitCode !== 0; tries++) {
      if (tries === 10) throw new Error('the import did not recover');
      await answers(mongo.uri);
      importer = startImport(dist, file, env);
      await once(importer, 'exit');
    }
    if (victim === 'api') api = await startProduct(dist, env);
    await untilReady(api.url, api.child);
    report.lost.push(...(await missingOf(mongo.uri, [...acknowledged, ...fromFile.map((post) => post.id)])));
    report.differences.push(
      ...(await settledDifferences(mongo.uri, join(folder, 'index', `archive-${env.PORT}.sqlite`))),
    );
    return { acknowledged: acknowledged.length };
  } finally {
    api.child.kill('SIGKILL');
    importer?.kill('SIGKILL');
    await mongo.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Posts batches until one fails; answers the ids the server said it has. */
async function sendBatches(port: string, key: string, seed: number): Promise<string[]> {
  const acknowledged: string[] = [];
  const posts = generatePosts(BATCH * SENT_BATCHES, seed + 500_000);
  for (let sent = 0; sent < SENT_BATCHES; sent++) {
    const batch = Array.from({ length: BATCH }, () => posts.next().value);
    try {
      const response = await fetch(`http://127.0.0.1:${port}/amber/archives`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ posts: batch }),
        signal: AbortSignal.timeout(20_000),
      });
      // A 503 acknowledges nothing.
      if (!response.ok) break;
      const { results } = (await response.json()) as IngestReport;
      for (const result of results) if (result.status !== 'invalid' && result.id) acknowledged.push(result.id);
    } catch {
      break;
    }
  }
  return acknowledged;
}

/** The index follows within 2 s; differences that stay longer count. */
async function settledDifferences(uri: string, path: string): Promise<string[]> {
  const deadline = Date.now() + 15_000;
  for (;;) {
    const { differences } = await withDatabase(uri, ({ db, clock }) =>
      checkIndex(path, new ArchiveStore(db, clock).readForCheck(), () => {}),
    );
    if (differences.length === 0 || Date.now() > deadline) return differences;
    await delay(250);
  }
}

async function missingOf(uri: string, ids: string[]): Promise<string[]> {
  return withDatabase(uri, async ({ db }) => {
    const found = await db
      .collection<{ ids: string[] }>('posts')
      .find({ ids: { $in: ids } })
      .toArray();
    const held = new Set(found.flatMap((post) => post.ids));
    return ids.filter((id) => !held.has(id));
  });
}

async function withDatabase<T>(
  uri: string,
  work: (database: Awaited<ReturnType<typeof openDatabase>>) => Promise<T>,
): Promise<T> {
  const database = await openDatabase(uri);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

async function answers(uri: string): Promise<void> {
  const client = await MongoClient.connect(uri, { serverSelectionTimeoutMS: 30_000 });
  await client.close();
}

function startImport(dist: string, file: string, env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, [join(dist, 'cli.js'), 'import', file], { env, stdio: 'ignore' });
}
