import { rmSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedMongo } from '../packages/embedded-mongo/src/index.ts';
import { findBrowser, PLAYWRIGHT } from './browser.ts';
import { buildProduct } from './build-product.ts';
import { ROOT, run, TURBO } from './processes.ts';

const STEP_TIMEOUT_MS = 600_000;
/** The whole runs on machines with two cores. */
const WORKERS = 2;
const BIN = join(ROOT, 'node_modules/.bin');

interface Counts {
  passed: number;
  failed: number;
}

interface Step {
  title: string;
  run(): Promise<boolean>;
  /** Counts of its tests; a step without tests counts only when it fails. */
  counts?(): Promise<Counts>;
}

const scratch = await mkdtemp(join(tmpdir(), 'product-tests-'));
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));

const steps: Step[] = [
  { title: 'Lint and format', run: () => succeeds(join(BIN, 'biome'), ['check', '--error-on-warnings']) },
  {
    title: 'Types',
    run: async () => {
      const workspaces = await succeeds(TURBO, ['run', 'typecheck', '--output-logs=errors-only', '--continue']);
      return (await succeeds(join(BIN, 'tsc'), ['-p', 'scripts'])) && workspaces;
    },
  },
  {
    title: 'Build',
    run: () =>
      buildProduct().then(
        () => true,
        (error: Error) => Boolean(console.error(error.message)),
      ),
  },
  { title: 'Unit and API tests', run: testWorkspaces, counts: countJest },
  { title: 'Browser tests', run: testInBrowser, counts: countPlaywright },
];

const total: Counts = { passed: 0, failed: 0 };
const summary: string[] = [];
for (const step of steps) {
  console.log(`\n── ${step.title}`);
  const began = Date.now();
  const passed = await step.run();
  const counts = (await step.counts?.()) ?? { passed: 0, failed: 0 };
  // A step that fails without a failing test, such as a suite that does not load, still counts as one.
  if (!passed && counts.failed === 0) counts.failed = 1;
  total.passed += counts.passed;
  total.failed += counts.failed;
  const tests = step.counts ? `, ${counts.passed} passed, ${counts.failed} failed` : '';
  summary.push(`${passed ? '✓' : '✗'} ${step.title} (${((Date.now() - began) / 1000).toFixed(0)} s${tests})`);
}
console.log(`\n${summary.join('\n')}\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);

/** Jest of every workspace, over one database that they share: each file uses a database name of its own. */
async function testWorkspaces(): Promise<boolean> {
  const given = process.env['MONGODB_URI'];
  const mongo = given ? undefined : await openEmbeddedMongo({ directory: join(scratch, 'mongo'), cacheMegabytes: 256 });
  const env = { MONGODB_URI: given ?? mongo?.uri };
  const jest = ['--json', '--outputFile=.turbo/jest.json', `--maxWorkers=${WORKERS}`];
  await Promise.all((await jestResults()).map((file) => rm(file, { force: true })));
  try {
    const own = await succeeds(join(BIN, 'jest'), ['-c', 'scripts/jest.config.cjs', ...jest], env);
    const tasks = ['run', 'test', '--concurrency=1', '--continue', '--output-logs=new-only'];
    return (await succeeds(TURBO, [...tasks, '--', ...jest], env)) && own;
  } finally {
    await mongo?.close();
  }
}

async function testInBrowser(): Promise<boolean> {
  let browser: string | undefined;
  try {
    browser = await findBrowser((line) => console.log(line));
  } catch (error) {
    console.error((error as Error).message);
    return false;
  }
  const env = { CHROMIUM_PATH: browser, PLAYWRIGHT_JSON_OUTPUT_FILE: join(scratch, 'playwright.json') };
  return succeeds(process.execPath, [PLAYWRIGHT, 'test', '--reporter=list,json'], env, join(ROOT, 'e2e'));
}

async function succeeds(command: string, args: string[], env: NodeJS.ProcessEnv = {}, cwd = ROOT): Promise<boolean> {
  return (await run(command, args, { env, cwd, timeoutMs: STEP_TIMEOUT_MS })).code === 0;
}

async function jestResults(): Promise<string[]> {
  const groups = ['apps', 'packages'];
  const workspaces = await Promise.all(
    groups.map(async (group) => (await readdir(join(ROOT, group))).map((name) => join(group, name))),
  );
  return ['.', ...workspaces.flat()].map((workspace) => join(ROOT, workspace, '.turbo/jest.json'));
}

async function countJest(): Promise<Counts> {
  const counts: Counts = { passed: 0, failed: 0 };
  for (const file of await jestResults()) {
    const result = await readJson<{
      numPassedTests: number;
      numFailedTests: number;
      numRuntimeErrorTestSuites: number;
    }>(file);
    counts.passed += result?.numPassedTests ?? 0;
    counts.failed += (result?.numFailedTests ?? 0) + (result?.numRuntimeErrorTestSuites ?? 0);
  }
  return counts;
}

async function countPlaywright(): Promise<Counts> {
  const file = join(scratch, 'playwright.json');
  const result = await readJson<{ stats: { expected: number; flaky: number; unexpected: number } }>(file);
  if (!result) return { passed: 0, failed: 0 };
  const { expected, flaky, unexpected } = result.stats;
  return { passed: expected + flaky, failed: unexpected };
}

async function readJson<T>(file: string): Promise<T | undefined> {
  return readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as T,
    () => undefined,
  );
}
