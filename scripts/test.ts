import { rmSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { installLocalBluesky } from '../packages/local-bluesky/src/index.ts';
import { BIN, ROOT, run } from '../packages/processes/src/index.ts';
import { findBrowser, PLAYWRIGHT } from './browser.ts';
import { buildProduct } from './build-product.ts';
import { check } from './checks.ts';
import { partOf } from './test-parts.ts';

/** Several times what a step takes: it ends what hangs. */
const STEP_TIMEOUT_MS = 2_000_000;
/** Beside the two of the browser tests: both wait a lot, for a page, an agent, a lease or a chain. */
const WORKERS = 2;

interface Counts {
  passed: number;
  failed: number;
  /** Commands that repeat alone what failed. */
  again: string[];
  /** The same of what passed only when it was tried once more. */
  shaky: string[];
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
const jestResults = join(scratch, 'jest.json');
const browserResults = join(scratch, 'playwright.json');

/** One after the other; those of one row side by side, which keeps both cores at work. */
const steps: Step[][] = [
  [{ title: 'Format, lint, types and walls', run: () => check() }],
  [{ title: 'Build', run: () => buildProduct().then(() => true, say) }],
  // Here and not in the build: what is too large still runs.
  [
    {
      title: 'Size of the scripts',
      run: () => succeeds(process.execPath, ['scripts/check-bundle.mjs'], {}, 'apps/web'),
    },
  ],
  [{ title: 'API description', run: () => succeeds(join(BIN, 'tsx'), ['scripts/openapi.ts', '--check']) }],
  [
    {
      title: 'Local Bluesky network',
      run: () => installLocalBluesky((line) => console.log(line)).then(() => true, say),
    },
  ],
  [
    { title: 'Unit and API tests', run: testInJest, counts: countJest },
    { title: 'Browser tests', run: testInBrowser, counts: countPlaywright },
  ],
];

const NONE: Counts = { passed: 0, failed: 0, again: [], shaky: [] };
const total = structuredClone(NONE);
const summary: string[] = [];
for (const row of steps) {
  console.log(`\n── ${row.map(({ title }) => title).join(', beside them: ')}`);
  await Promise.all(row.map(runStep));
}
if (total.again.length > 0) console.log(`\nTo repeat alone what failed:\n${[...new Set(total.again)].join('\n')}`);
if (total.shaky.length > 0) console.log(`\nPassed only the second time, and to be mended:\n${total.shaky.join('\n')}`);
console.log(`\n${summary.join('\n')}\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);

async function runStep(step: Step): Promise<void> {
  const began = Date.now();
  const passed = await step.run();
  const counts = (await step.counts?.()) ?? structuredClone(NONE);
  // A step that fails without a failing test, such as a suite that does not load, still counts as one.
  if (!passed && counts.failed === 0) counts.failed = 1;
  total.passed += counts.passed;
  total.failed += counts.failed;
  total.again.push(...counts.again);
  total.shaky.push(...counts.shaky);
  const tests = step.counts ? `, ${counts.passed} passed, ${counts.failed} failed` : '';
  summary.push(`${passed ? '✓' : '✗'} ${step.title} (${((Date.now() - began) / 1000).toFixed(0)} s${tests})`);
}

function testInJest(): Promise<boolean> {
  return succeeds(join(BIN, 'jest'), ['--json', `--outputFile=${jestResults}`, `--maxWorkers=${WORKERS}`]);
}

async function testInBrowser(): Promise<boolean> {
  const browser = await findBrowser((line) => console.log(line)).catch(say);
  if (!browser) return false;
  const env = { CHROMIUM_PATH: browser, PLAYWRIGHT_JSON_OUTPUT_FILE: browserResults };
  // A machine may stand still for longer than a browser waits. What needed it is named in the end.
  return succeeds(process.execPath, [PLAYWRIGHT, 'test', '--retries=1', '--reporter=list,json'], env, 'e2e');
}

async function succeeds(command: string, args: string[], env: NodeJS.ProcessEnv = {}, folder = '.'): Promise<boolean> {
  return (await run(command, args, { env, cwd: join(ROOT, folder), timeoutMs: STEP_TIMEOUT_MS })).code === 0;
}

function say(error: Error): false {
  console.error(error.message);
  return false;
}

interface JestResult {
  numPassedTests: number;
  numFailedTests: number;
  numRuntimeErrorTestSuites: number;
  testResults: { name: string; status: string; assertionResults: { status: string; fullName: string }[] }[];
}

async function countJest(): Promise<Counts> {
  const result = await readJson<JestResult>(jestResults);
  if (!result) return NONE;
  const again = result.testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, assertionResults }) => {
      const command = `npm run test:${partOf(name)} -- ${relative(ROOT, name)}`;
      const failed = assertionResults.filter(({ status }) => status === 'failed');
      return failed.length > 0 ? failed.map(({ fullName }) => `${command} -t ${quote(fullName)}`) : [command];
    });
  return {
    passed: result.numPassedTests,
    failed: result.numFailedTests + result.numRuntimeErrorTestSuites,
    again,
    shaky: [],
  };
}

/** For a shell, and as the pattern that Jest takes it for. */
function quote(name: string): string {
  return `'${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll("'", '.')}'`;
}

interface BrowserSuite {
  specs: { ok: boolean; file: string; line: number; tests: { status: string }[] }[];
  suites?: BrowserSuite[];
}

async function countPlaywright(): Promise<Counts> {
  const result = await readJson<{
    stats: { expected: number; flaky: number; unexpected: number };
    suites: BrowserSuite[];
  }>(browserResults);
  if (!result) return NONE;
  const { expected, flaky, unexpected } = result.stats;
  const specs = result.suites.flatMap(specsOf);
  const commandOf = ({ file, line }: (typeof specs)[0]) => `npm run test:e2e -- ${file}:${line}`;
  return {
    passed: expected + flaky,
    failed: unexpected,
    again: specs.filter(({ ok }) => !ok).map(commandOf),
    shaky: specs.filter(({ tests }) => tests.some(({ status }) => status === 'flaky')).map(commandOf),
  };
}

function specsOf(suite: BrowserSuite): BrowserSuite['specs'] {
  return [...suite.specs, ...(suite.suites ?? []).flatMap(specsOf)];
}

async function readJson<T>(file: string): Promise<T | undefined> {
  return readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as T,
    () => undefined,
  );
}
