import { basename, join, relative } from 'node:path';
import { BIN, ROOT, run } from '../packages/processes/src/index.ts';
import { findBrowser, PLAYWRIGHT } from './browser.ts';
import { beginResults } from './test-results.ts';

/**
 * Runs the tests of the workspace in the current folder, for Turbo. `TEST_TIER` is the tier, `TEST_SHARD` the shard,
 * `TEST_RUN` the id of the `npm test` run.
 */

const isFull = process.env['TEST_TIER'] === 'full';
/** Milliseconds before a hanging run is killed: several times the longest run. */
const TIMEOUT_MS = isFull ? 3_600_000 : 1_800_000;
/**
 * Jest workers of the API's tests, beside two workers of the browser tests. The tests mostly wait, for a page, an
 * agent, a lease or a chain; those of the full tier wait less.
 */
const WORKERS = isFull ? 2 : 3;

const folder = relative(ROOT, process.cwd());
const name = basename(folder);
const shard = process.env['TEST_SHARD'] ? [`--shard=${process.env['TEST_SHARD']}`] : [];
const env = beginResults(folder);
process.exitCode = await (name === 'e2e' ? testInBrowser() : testInJest());

async function testInJest(): Promise<number> {
  const workers = name === 'api' ? WORKERS : 1;
  const args = ['--selectProjects', name, `--maxWorkers=${workers}`, '--passWithNoTests', ...shard];
  const reporters = ['--reporters=default', `--reporters=${join(ROOT, 'jest.reporter.cjs')}`];
  return (await run(join(BIN, 'jest'), [...args, ...reporters], { env, timeoutMs: TIMEOUT_MS })).code;
}

async function testInBrowser(): Promise<number> {
  const browser = await findBrowser((line) => console.log(line));
  const reporters = `--reporter=list,${join(ROOT, 'e2e/results-reporter.ts')}`;
  // A machine may stall for longer than a browser waits, so a failed test runs again. The summary lists tests that
  // needed the second try.
  const args = [PLAYWRIGHT, 'test', '--retries=1', reporters, '--pass-with-no-tests', ...shard];
  const options = { env: { ...env, CHROMIUM_PATH: browser }, cwd: process.cwd(), timeoutMs: TIMEOUT_MS };
  return (await run(process.execPath, args, options)).code;
}
