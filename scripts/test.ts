import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { installLocalBluesky, offerLocalBluesky } from '../packages/local-bluesky/src/index.ts';
import { newestVersion } from '../packages/local-search/src/index.ts';
import { BIN, ROOT, run, TURBO } from '../packages/processes/src/index.ts';
import { buildProduct } from './build-product.ts';
import { check } from './checks.ts';
import { TESTED } from './test-parts.ts';
import { forgetResults, type Results, readResults } from './test-results.ts';

/** `npm test` and `npm run test:full`; `-- --shard=1/3` runs a third. */
const { values, positionals } = parseArgs({ allowPositionals: true, options: { shard: { type: 'string' } } });
const isFull = positionals[0] === 'full';
const { shard } = values;
if (positionals.length > (isFull ? 1 : 0)) {
  console.error(
    'It runs everything. For some tests alone: npm run test:api -- FILE, test:web, test:unit, test:search, test:e2e.',
  );
  process.exit(2);
}
if (shard && !/^[1-9]\d*\/[1-9]\d*$/.test(shard)) {
  console.error('--shard takes a part and their number, such as 1/3.');
  process.exit(2);
}
/** Only the first shard runs the checks that are not tests. */
const isFirst = !shard || shard.startsWith('1/');
const SLOWEST = 10;
/** Milliseconds, far more than all of Turbo's tasks take. */
const TIMEOUT_MS = 5_000_000;
const GREEN = join(ROOT, 'node_modules/.cache/amber/green');

// A killed run still prints its results so far. The processes it started end with it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    summary.push(`✗ cut off by ${signal}`);
    failedSteps++;
    tell();
    process.exit(1);
  });
}

const began = Date.now();
const commit = cleanCommit();
const runId = randomUUID();
const summary: string[] = [];
let failedSteps = 0;

if (isFirst) await step('Format, lint, types and walls', () => check());
await step('Build', () => buildProduct().then(() => true, say));
if (isFirst) {
  // In the tests, not in the build: a bundle that is too large still works.
  await step('Size of the scripts', () => succeeds(process.execPath, ['scripts/check-bundle.mjs'], 'apps/web'));
  await step('API description', () => succeeds(join(BIN, 'tsx'), ['scripts/openapi.ts', '--check']));
}
await step('Local Bluesky network', () => installLocalBluesky((line) => console.log(line)).then(() => true, say));
// One network for all packages. The first test that needs it starts it.
await offerLocalBluesky();
for (const folder of TESTED) forgetResults(folder);
await step('Tests', runTests);
process.exit(tell() ? 0 : 1);

async function step(title: string, work: () => Promise<boolean>): Promise<boolean> {
  console.log(`\n── ${title}`);
  const start = Date.now();
  const isPassed = await work();
  if (!isPassed) failedSteps++;
  summary.push(`${isPassed ? '✓' : '✗'} ${title} (${seconds(Date.now() - start)} s)`);
  return isPassed;
}

async function runTests(): Promise<boolean> {
  const args = ['run', 'test', 'test:scripts', '--continue', '--concurrency=3', '--output-logs=new-only'];
  const engine = newestVersion() ?? '';
  const env = {
    TEST_RUN: runId,
    SEARCH_ENGINE: engine,
    TEST_TIER: isFull ? 'full' : '',
    TEST_SHARD: shard ?? '',
    TEST_NODE: process.version,
  };
  return (
    (await run(TURBO, [...args, '--env-mode=loose', '--log-order=stream'], { env, timeoutMs: TIMEOUT_MS })).code === 0
  );
}

/** Prints the summary. Returns whether everything passed. */
function tell(): boolean {
  const found = TESTED.flatMap((folder) => readResults(folder) ?? []);
  const silent = TESTED.filter((folder) => readResults(folder) === null);
  const all = (pick: (one: Results) => string[]) => [...new Set(found.flatMap(pick))];
  const sum = (some: Results[], pick: (one: Results) => number) => some.reduce((total, one) => total + pick(one), 0);
  const passed = sum(found, (one) => one.passed);
  // A step that fails without a failing test counts as one, such as a suite that does not load.
  const failed = sum(found, (one) => one.failed) + silent.length || failedSteps;
  const ran = found.filter(({ run }) => run === runId);
  const slowest = ran
    .flatMap(({ files }) => [...files])
    .sort(([, a], [, b]) => b - a)
    .slice(0, SLOWEST);
  list(
    'The slowest files, in seconds:',
    slowest.map(([file, ms]) => `${seconds(ms).padStart(6)}  ${file}`),
  );
  list(
    'Started and did not end:',
    all(({ unfinished }) => unfinished),
  );
  list(
    'To repeat alone what failed:',
    all(({ again }) => again),
  );
  list(
    'Passed only the second time, and to be mended:',
    all(({ shaky }) => shaky),
  );
  list('No tests came from:', silent);
  list(
    'Not run:',
    all(({ notRun }) => (notRun === undefined ? [] : [notRun])),
  );
  list('Steps:', summary);
  const count = (some: Results[]) => sum(some, (one) => one.passed + one.failed).toLocaleString('en-US');
  const cached = found.filter(({ run }) => run !== runId);
  console.log(
    `\nIn ${seconds(Date.now() - began)} s: ${count(ran)} tests ran, ${count(cached)} came from the cache${shard ? `, shard ${shard}` : ''}.`,
  );
  const isWhole = !shard && commit !== null && commit === cleanCommit();
  if (failed === 0 && isWhole) {
    mkdirSync(join(GREEN, '..'), { recursive: true });
    writeFileSync(GREEN, commit);
  }
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0;
}

function list(title: string, lines: string[]): void {
  if (lines.length > 0) console.log(`\n${title}\n${lines.join('\n')}`);
}

/** The id of HEAD if the working tree is clean; else null. */
function cleanCommit(): string | null {
  try {
    const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' }).trim();
    return git('status', '--porcelain') === '' ? git('rev-parse', 'HEAD') : null;
  } catch {
    return null;
  }
}

async function succeeds(command: string, args: string[], folder = '.'): Promise<boolean> {
  return (await run(command, args, { cwd: join(ROOT, folder) })).code === 0;
}

function say(error: Error): false {
  console.error(error.message);
  return false;
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(0);
}
