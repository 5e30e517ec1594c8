import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../packages/processes/src/index.ts';

/**
 * What the reporters of Jest and Playwright write, a JSON object a line: when a file or a browser test starts and when it
 * ends. A run that is cut off leaves the lines up to there.
 */
interface ResultLine {
  /** Of the test file, from the root. */
  file: string;
  isStart?: boolean;
  /** Wall time. */
  ms?: number;
  passed?: number;
  failed?: number;
  /** Commands that repeat alone what failed. */
  again?: string[];
  /** The same of what passed only when it was tried once more. */
  shaky?: string[];
}

export interface Results {
  /** The run of `npm test` that made them; another one's came from the cache. */
  run: string;
  passed: number;
  failed: number;
  again: string[];
  shaky: string[];
  /** Wall time by file, in milliseconds. */
  files: Map<string, number>;
  /** Why none of them could run here, in words. */
  notRun: string | undefined;
  /** Files that started and never ended. */
  unfinished: string[];
}

/** The file of a workspace's results, which Turbo keeps with its task. */
function resultsFile(folder: string): string {
  return join(ROOT, folder, '.test-results/results.ndjson');
}

/** Begins an empty file of results; answers the variable by which the reporters find it. `notRun` says why it stays empty. */
export function beginResults(folder: string, notRun?: string): { TEST_RESULTS: string } {
  const file = resultsFile(folder);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ run: process.env['TEST_RUN'] ?? '', notRun })}\n`);
  return { TEST_RESULTS: file };
}

/** So that results of an earlier run are not taken for those of this one. */
export function forgetResults(folder: string): void {
  rmSync(resultsFile(folder), { force: true });
}

/** null where there are none. */
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

/** null where the run was cut off while it wrote the line. */
function parseLine(line: string): ResultLine | null {
  try {
    return JSON.parse(line) as ResultLine;
  } catch {
    return null;
  }
}
