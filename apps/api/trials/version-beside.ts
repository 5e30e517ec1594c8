import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort, run, startApi } from '@archive/processes';
import { call, Product } from '@archive/testing';
import { generatePosts, seeded } from '@archive/testing/generate-posts';
import { pick, questions, traitQuestions } from '../bench/archive-questions.ts';
import { AgentKeyStore } from '../src/accounts/agent-key-store.ts';
import { openDatabase } from '../src/db/database.ts';
import { Ledger, ledgerFolder } from '../src/ledger/ledger.ts';
import { LedgerFiles } from '../src/ledger/ledger-files.ts';
import { PostStore } from '../src/posts/post-store.ts';

const IMPORTED = 20_000;
const SAVED = 500;
/** Each question goes to both processes, so there are twice as many requests. */
const QUESTIONS_PER_SECOND = 10;
const CHANGE_EVERY = 10;
/** Answers may differ for this time, until both processes have applied a change. */
const AGREE_WITHIN_MS = 15_000;
/** Fields that depend on the process or the moment, not on the archive. */
const OWN_FIELDS = /"(took|requestId)":[^,}]+/g;

export interface VersionBesideReport {
  asked: number;
  changes: number;
  wrong: string[];
}

/**
 * A built checkout of an earlier version saves posts and serves. Then one process of each version answers the same
 * questions on the same database, while both make changes.
 */
export async function runVersionBeside(options: {
  before: string;
  minutes: number;
  onMinute?: (line: string) => void;
}): Promise<VersionBesideReport> {
  const report: VersionBesideReport = { asked: 0, changes: 0, wrong: [] };
  const random = seeded(5);
  const port = await freePort();
  const startBefore = ({ mongo, folder, env }: Product) =>
    startApi({ root: options.before, port, mongodbUri: mongo.uri, dataDir: join(folder, 'before'), env });
  const ids: string[] = [];
  const product = await Product.open({
    prepare: async (made) => {
      const file = join(made.folder, 'posts.ndjson');
      writeFileSync(file, [...generatePosts(IMPORTED)].map((post) => `${JSON.stringify(post)}\n`).join(''));
      const cli = join(options.before, 'apps/api/dist/cli.js');
      const imported = await run(process.execPath, [cli, 'import', file], { env: made.env, quiet: true });
      if (imported.code !== 0) throw new Error(imported.output);
      const database = await openDatabase(made.mongo.uri);
      const { key } = await new AgentKeyStore(database.db).create('before');
      await database.close();
      const before = await startBefore(made);
      try {
        for (const post of generatePosts(SAVED, 12)) ids.push(...(await save(before.url, key, post)));
      } finally {
        await before.stop();
      }
    },
  });
  const before = await startBefore(product);
  const database = await openDatabase(product.mongo.uri);
  const ledger = new Ledger(ledgerFolder(product.folder), database.clock, new LedgerFiles(database.db).register);
  const store = new PostStore(database.db, database.clock, undefined, ledger);
  const { key } = await new AgentKeyStore(database.db).create('beside');
  const posts = generatePosts(100_000, 13);
  const urls = [before.url, product.url];
  const change = async (): Promise<void> => {
    report.changes++;
    const act = random();
    const known = await store.find(pick(ids, random));
    if (known && act < 0.2) await store.setFeatured(known._id, act < 0.1);
    else if (known && act < 0.35) await store.remove(known._id);
    else ids.push(...(await save(pick(urls, random), key, posts.next().value)));
  };
  const filters = [...questions(600), ...traitQuestions(200)];
  const paths: (() => string)[] = [
    () => `/amber/archives?limit=12&split=featured&${new URLSearchParams(pick(filters, random) as never)}`,
    () => `/amber/archives?limit=12&page=${1 + Math.floor(random() * 100)}`,
    () => `/amber/archives/${pick(ids, random)}`,
    () => `/amber/archives/${pick(ids, random)}/neighbours`,
    () => `/amber/reactions/${pick(ids, random)}`,
    () => `/amber/archives/export?format=ndjson&${new URLSearchParams(pick(filters, random) as never)}`,
    () => '/feed.json',
    () => '/amber/analytics',
  ];
  try {
    // With a search cluster a process is ready before the index is built.
    for (const url of urls) while ((await fetch(`${url}/amber/archives?limit=1`)).status !== 200) await delay(200);
    const startedAt = performance.now();
    const asking = new Set<Promise<void>>();
    for (let minute = 1; report.asked < options.minutes * 60 * QUESTIONS_PER_SECOND; report.asked++) {
      const due = startedAt + (report.asked * 1_000) / QUESTIONS_PER_SECOND;
      await delay(Math.max(0, due - performance.now()));
      if (report.asked % CHANGE_EVERY === 0) await change();
      const path = pick(paths, random)();
      const one = agree(urls, path).then((wrong) => void report.wrong.push(...wrong));
      asking.add(one.finally(() => asking.delete(one)));
      if (performance.now() - startedAt < minute * 60_000) continue;
      options.onMinute?.(`minute ${minute++}: ${report.asked} questions, ${report.wrong.length} wrong`);
    }
    await Promise.all(asking);
  } finally {
    await before.stop();
    await ledger.close();
    await database.close();
    await product.close();
  }
  return report;
}

async function save(url: string, key: string, post: unknown): Promise<string[]> {
  const { status, body } = await call({ url }, 'POST', '/amber/archives', key, { posts: [post] });
  if (status >= 300) throw new Error(`saving was answered ${status}: ${JSON.stringify(body)}`);
  return (body.results as { id: string }[]).map(({ id }) => id);
}

/** Checks that both processes give the same answer for a path, at the latest when both have applied the changes. */
async function agree(urls: readonly string[], path: string): Promise<string[]> {
  for (const deadline = performance.now() + AGREE_WITHIN_MS; ; await delay(500)) {
    const answers = await Promise.all(
      urls.map(async (url) => {
        const answer = await fetch(url + path);
        return { status: answer.status, body: (await answer.text()).replace(OWN_FIELDS, '').replaceAll(url, '') };
      }),
    ).catch((error: Error) => String(error.cause ?? error));
    if (typeof answers === 'string') return [`${path}: ${answers}`];
    const failed = answers.find(({ status }) => status >= 500);
    if (failed) return [`${path} was answered ${failed.status}: ${failed.body.slice(0, 200)}`];
    const [one, other] = answers;
    if (one?.status === other?.status && one?.body === other?.body) return [];
    if (performance.now() > deadline)
      return [`${path} differs: ${one?.body.slice(0, 300)} | ${other?.body.slice(0, 300)}`];
  }
}
