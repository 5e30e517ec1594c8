import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type ApiProcess, freePort, ROOT, startApi } from '@archive/processes';
import { checkIndex } from '@archive/search/sqlite';
import { call } from '@archive/testing';
import { generatePosts, seeded } from '@archive/testing/generate-posts';
import { pick } from '../bench/archive-questions.ts';
import { AgentKeyStore } from '../src/accounts/agent-key-store.ts';
import { Ledger, ledgerFolder } from '../src/ledger/ledger.ts';
import { LedgerFiles } from '../src/ledger/ledger-files.ts';
import { PostStore } from '../src/posts/post-store.ts';
import { Stage } from './stage.ts';

const MINUTE_MS = 60_000;
/** Clock errors of one process: milliseconds ahead, by milliseconds since the round began. */
const CLOCKS: [string, (ms: number) => number][] = [
  ['a minute ahead', () => MINUTE_MS],
  ['an hour forward', () => 60 * MINUTE_MS],
  ['an hour back', () => -60 * MINUTE_MS],
  ['drifting', (ms) => ms * 20],
  ['right', () => 0],
];
const CHANGES = 60;
const SHOWN_TIMEOUT_MS = 60_000;
const CALLERS = 8;
const SAVE_TRIES = 20;
/**
 * A request that this busy machine delayed longer may find the process gone, because the process waits twice as long
 * for a next request.
 */
const AWAY_MS = 500;

export interface TwoProcessesReport {
  changes: number;
  /** Number of rounds, by fault. */
  rounds: Record<string, number>;
  /** Requests answered during a graceful restart. */
  answered: number;
  wrong: string[];
}

/**
 * Runs two API processes on one database, with a wrong clock of the second one in each round. Both make changes; one is
 * killed, and one is stopped gracefully under traffic. After each round both indexes must equal the database.
 */
export async function runTwoProcesses(options: {
  rounds: number;
  seed: number;
  onRound?: (line: string) => void;
}): Promise<TwoProcessesReport> {
  const random = seeded(options.seed);
  const report: TwoProcessesReport = { changes: 0, rounds: {}, answered: 0, wrong: [] };
  const stage = await Stage.open({ posts: 50 });
  const { product, database } = stage;
  const clockFile = join(product.folder, 'clock');
  writeFileSync(clockFile, '0');
  const port = await freePort();
  const clock = pathToFileURL(join(ROOT, 'apps/api/trials/set-clock.mjs')).href;
  const startSecond = () =>
    startApi({
      port,
      mongodbUri: product.mongo.uri,
      dataDir: product.folder,
      env: { ...product.env, NODE_OPTIONS: `--import ${clock}`, CLOCK_FILE: clockFile },
    });
  let second = await startSecond();
  let wind: NodeJS.Timeout | undefined;
  const ledger = new Ledger(ledgerFolder(product.folder), database.clock, new LedgerFiles(database.db).register);
  const store = new PostStore(database.db, database.clock, undefined, ledger);
  try {
    const { key } = await new AgentKeyStore(database.db).create('two');
    const posts = generatePosts(100_000, options.seed);
    const live: string[] = [];
    for (let round = 0; round < options.rounds; round++) {
      const [name, ahead] = CLOCKS[round % CLOCKS.length] as (typeof CLOCKS)[number];
      const startedAt = performance.now();
      wind = setInterval(() => writeFileSync(clockFile, String(Math.round(ahead(performance.now() - startedAt)))), 50);
      for (let change = 0; change < CHANGES; change++) {
        const act = random();
        const known = live.length > 10 ? await store.find(pick(live, random)) : null;
        if (known && act < 0.2) await store.setFeatured(known._id, act < 0.1);
        else if (known && act < 0.3) await store.remove(known._id);
        else {
          const { value: post } = posts.next();
          const url = act < 0.65 ? product.url : second.url;
          const { status, body } = await save({ url }, key, post);
          if (status === 0 || status >= 300) report.wrong.push(`round ${round}: saving was answered ${status}`);
          else live.push(body.results[0].id as string);
        }
        report.changes++;
      }
      if (round % 2 === 0) {
        second.process.kill('SIGKILL');
        await second.ended;
        second = await startSecond();
      } else {
        const { answered, cut } = await rollUnderTraffic(second);
        report.answered += answered;
        report.wrong.push(...cut.map((error) => `round ${round}: a request was cut off (${error})`));
        second = await startSecond();
      }
      clearInterval(wind);
      for (const at of [product.env['PORT'], port]) {
        const path = join(product.folder, 'index', `archive-${at}.sqlite`);
        report.wrong.push(...(await differences(path, stage)).map((line) => `round ${round}, ${name}: ${line}`));
      }
      report.rounds[name] = (report.rounds[name] ?? 0) + 1;
      options.onRound?.(`round ${round + 1}: clock ${name}, ${report.changes} changes, ${report.wrong.length} wrong`);
    }
  } finally {
    clearInterval(wind);
    await second.stop();
    await ledger.close();
    await stage.close();
  }
  return report;
}

/**
 * Saves a post, with retries if no answer came, for example over a connection from before a kill. Saving a post twice
 * has the same effect as once.
 */
async function save(served: { url: string }, key: string, post: unknown) {
  for (let tries = 0; ; tries++) {
    const answer = await call(served, 'POST', '/amber/archives', key, { posts: [post] });
    if (answer.status !== 0 || tries === SAVE_TRIES) return answer;
    await delay(100);
  }
}

/** Waits until the index has no differences. After the time limit the remaining ones count as errors. */
async function differences(path: string, { forIndex }: Stage): Promise<string[]> {
  for (const deadline = performance.now() + SHOWN_TIMEOUT_MS; ; await delay(250)) {
    const isLast = performance.now() > deadline;
    const found = await checkIndex(path, forIndex.walkLive());
    if (found.differences.length === 0 || isLast) return found.differences;
  }
}

/** Stops a process by SIGTERM under traffic. Every request that has reached it must be answered. */
export async function rollUnderTraffic(api: ApiProcess): Promise<{ answered: number; cut: string[] }> {
  const cut: string[] = [];
  let answered = 0;
  const ask = async (): Promise<void> => {
    for (let cameAt = performance.now(); ; cameAt = performance.now()) {
      try {
        const answer = await fetch(`${api.url}/amber/archives?page=${1 + (answered % 4)}`);
        await answer.arrayBuffer();
        answered++;
        // Like a proxy, which then uses another process.
        if (answer.headers.get('connection') === 'close') return;
      } catch (error) {
        if (performance.now() - cameAt > AWAY_MS) return;
        const { code = 'unknown' } = ((error as Error).cause ?? {}) as { code?: string };
        cut.push(code);
        return;
      }
    }
  };
  const asking = Array.from({ length: CALLERS }, ask);
  while (answered < CALLERS * 5) await delay(5);
  api.process.kill('SIGTERM');
  await api.ended;
  await Promise.all(asking);
  if (api.process.exitCode !== 0) cut.push(`it ended with ${api.process.exitCode}`);
  return { answered, cut };
}
