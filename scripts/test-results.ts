import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../packages/processes/src/index.ts';

/**
 * One JSON line of the Jest and Playwright reporters: at the start and at the end of a file or a browser test. An
 * aborted run leaves the lines written so far.
 */
interface ResultLine {
  /** The test file, relative to the root. */
  file: string;
  isStart?: boolean;
  /** Wall time. */
  ms?: number;
  passed?: number;
  failed?: number;
  /** Commands that run only the failed tests. */
  again?: string[];
  /** The same for tests that passed only at the second try. */
  shaky?: string[];
}

export interface Results {
  /** The id of the `npm test` run. A different id means that the results came from Turbo's cache. */
  run: string;
  passed: number;
  failed: number;
  again: string[];
  shaky: string[];
  /** Wall time by file, in milliseconds. */
  files: Map<string, number>;
  /** Why none of the tests could run here. */
  notRun: string | undefined;
  /** Files that started and never ended. */
  unfinished: string[];
}

/** The file of a workspace's results. Turbo caches it with the task. */
function resultsFile(folder: string): string {
  return join(ROOT, folder, '.test-results/results.ndjson');
}

/**
 * Creates an empty results file. Returns the variable that tells the reporters its path. `notRun` says why the tests
 * cannot run.
 */
export function beginResults(folder: string, notRun?: string): { TEST_RESULTS: string } {
  const file = resultsFile(folder);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ run: process.env['TEST_RUN'] ?? '', notRun })}\n`);
  return { TEST_RESULTS: file };
}

/** Deletes the results of an earlier run, so that they are not taken for this run's. */
export function forgetResults(folder: string): void {
  rmSync(resultsFile(folder), { force: true });
}

/** Null if there is no results file. */
export function readResults(folder: string): Results | null {
  const file = resultsFile(folder);
  if (!existsSync(file)) return null;
  const [first = '{}', ...lines] = readFileSync(file, 'utf8').trim().split('\n');
  const { run, notRun } = JSON.parse(first) as { run: string; notRun?: string };
  const results: Results = {
    run,
    notRun,
    passed: 0,
    failed: 0,
    again: [],
    shaky: [],
    files: new Map(),
    unfinished: [],
  };
  const open = new Map<string, number>();
  for (const line of lines) {
    const parsed = parseLine(line);
    if (parsed === null) continue;
    const { file: name, isStart, ms = 0, passed = 0, failed = 0, again = [], shaky = [] } = parsed;
    open.set(name, (open.get(name) ?? 0) + (isStart ? 1 : -1));
    results.files.set(name, (results.files.get(name) ?? 0) + ms);
    results.passed += passed;
    results.failed += failed;
    results.again.push(...again);
    results.shaky.push(...shaky);
  }
  results.unfinished = [...open].filter(([, count]) => count > 0).map(([name]) => name);
  return results;
}

/** Null if the run was killed while it wrote the line. */
function parseLine(line: string): ResultLine | null {
  try {
    return JSON.parse(line) as ResultLine;
  } catch {
    return null;
  }
}
