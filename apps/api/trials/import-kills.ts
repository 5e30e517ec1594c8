import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { IngestReport } from '@archive/contracts';
import type { NewPost } from '@archive/contracts/schemas';
import { checkIndex } from '@archive/search/sqlite';
import { call, type Product } from '@archive/testing';
import { generatePosts, seeded } from '@archive/testing/generate-posts';
import { AgentKeyStore } from '../src/accounts/agent-key-store.ts';
import type { Database } from '../src/db/database.ts';
import { Stage } from './stage.ts';

const VICTIMS = ['API', 'database', 'importer'] as const;
const BATCH = 50;
const IMPORTED = 20_000;
const IMPORT_TRIES = 10;
const SETTLE_TIMEOUT_MS = 15_000;

export interface ImportKillReport {
  trials: number;
  killed: Record<(typeof VICTIMS)[number], number>;
  acknowledged: number;
  lost: string[];
  /** Differences between index and database after the restart. */
  differences: string[];
}

/**
 * Kills the API, the engine or the importer (kill -9) at random moments of an import and of batches to the ingest call.
 * Restarts it, completes the import, and looks for every acknowledged post and every line of the file.
 */
export async function runImportKills(options: {
  trials: number;
  seed: number;
  /** Posts in the file of each trial. */
  imported?: number;
  onTrial?: (line: string) => void;
}): Promise<ImportKillReport> {
  const { trials, seed, imported = IMPORTED, onTrial } = options;
  const random = seeded(seed);
  const report: ImportKillReport = {
    trials,
    killed: { API: 0, database: 0, importer: 0 },
    acknowledged: 0,
    lost: [],
    differences: [],
  };
  for (let trial = 0; trial < trials; trial++) {
    const victim = VICTIMS[trial % VICTIMS.length] as (typeof VICTIMS)[number];
    const killAt = Math.floor(random() * imported);
    const posts = [...generatePosts(imported * 1.5, seed * 1_000 + trial)];
    const sent = posts.splice(imported);
    const { acknowledged, lost, differences } = await runTrial(victim, killAt, posts, sent);
    report.killed[victim]++;
    report.acknowledged += acknowledged;
    report.lost.push(...lost);
    report.differences.push(...differences);
    onTrial?.(
      `trial ${trial + 1}: killed the ${victim} when it held ${killAt} posts; ${acknowledged} posts acknowledged`,
    );
  }
  return report;
}

/** Kills when `killAt` posts are there, so that the kill happens during the import on every machine. */
async function runTrial(victim: (typeof VICTIMS)[number], killAt: number, toImport: NewPost[], toSend: NewPost[]) {
  const stage = await Stage.open({ posts: 0 });
  const { product, database } = stage;
  let importer: ChildProcess | undefined;
  try {
    const file = join(product.folder, 'posts.ndjson');
    writeFileSync(file, toImport.map((post) => `${JSON.stringify(post)}\n`).join(''));
    const { key } = await new AgentKeyStore(database.db).create('trial');
    const isOver = { now: false };
    importer = product.startCommand('import', file);
    const sending = sendBatches(product, key, toSend, isOver);
    while ((await stage.postStore.estimateCount()) < killAt) await delay(5);
    if (victim === 'importer') importer.kill('SIGKILL');
    else await product.kill(victim);
    isOver.now = true;
    const acknowledged = await sending;
    if (importer.exitCode === null && importer.signalCode === null) await once(importer, 'exit');
    // The import is repeated until it succeeds; it continues where it was cut off.
    for (let tries = 0; importer.exitCode !== 0; tries++) {
      if (tries === IMPORT_TRIES) throw new Error('the import did not recover');
      await product.untilDatabase();
      importer = product.startCommand('import', file);
      await once(importer, 'exit');
    }
    await product.recover();
    return {
      acknowledged: acknowledged.length,
      lost: await missingOf(database, [...acknowledged, ...toImport.map((post) => post.id)]),
      differences: await settledDifferences(stage),
    };
  } finally {
    importer?.kill('SIGKILL');
    await stage.close();
  }
}

/** Sends batches until one fails or the trial is over. Returns the ids that the server acknowledged. */
async function sendBatches(
  product: Product,
  key: string,
  posts: NewPost[],
  isOver: { now: boolean },
): Promise<string[]> {
  const acknowledged: string[] = [];
  for (let at = 0; at < posts.length && !isOver.now; at += BATCH) {
    const { status, body } = await call(product, 'POST', '/amber/archives', key, {
      posts: posts.slice(at, at + BATCH),
    });
    // A 503 acknowledges nothing.
    if (status === 0 || status >= 300) break;
    for (const result of (body as IngestReport).results)
      if (result.status !== 'invalid' && result.id) acknowledged.push(result.id);
  }
  return acknowledged;
}

/**
 * The index catches up as fast as the machine allows. Differences that remain after it has stopped growing are errors.
 */
async function settledDifferences({ product, postStore, forIndex }: Stage): Promise<string[]> {
  const path = join(product.folder, 'index', `archive-${product.env['PORT']}.sqlite`);
  const inIndex = async () => (await call(product, 'GET', '/amber/archives?limit=1')).body.stats.total as number;
  const live = await postStore.countLive();
  let before = -1;
  let grewAt = performance.now();
  for (
    let held = await inIndex();
    held !== live && performance.now() - grewAt < SETTLE_TIMEOUT_MS;
    held = await inIndex()
  ) {
    if (held !== before) grewAt = performance.now();
    before = held;
    await delay(50);
  }
  for (;;) {
    // A check gives the state at its beginning, and may take long.
    const isLast = performance.now() - grewAt > SETTLE_TIMEOUT_MS;
    const { differences } = await checkIndex(path, forIndex.walkLive());
    if (differences.length === 0 || isLast) return differences;
    await delay(250);
  }
}

async function missingOf({ db }: Database, ids: string[]): Promise<string[]> {
  const found = await db
    .collection<{ ids: string[] }>('posts')
    .find({ ids: { $in: ids } }, { projection: { ids: 1 } })
    .toArray();
  const held = new Set(found.flatMap((post) => post.ids));
  return ids.filter((id) => !held.has(id));
}
