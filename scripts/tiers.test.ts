import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from '@jest/globals';
import { TESTED } from './test-parts.ts';

const ROOT = join(__dirname, '..');
const { files, browserTests, conditions } = JSON.parse(
  readFileSync(join(ROOT, 'packages/tiers/full-only.json'), 'utf8'),
) as Record<'files' | 'browserTests' | 'conditions', string[]>;

/** Files in the checkout, tracked or not, without ignored ones. */
function inCheckout(...patterns: string[]): string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', '--', ...patterns];
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim().split('\n').toSorted();
}

function jestFiles(tier: string): string[] {
  const args = [join(ROOT, 'node_modules/jest/bin/jest.js'), '--listTests'];
  const output = execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8', env: envOf(tier) });
  return output.trim().split('\n').map(fromRoot).toSorted();
}

/** Each browser test as `file title`, with the titles of its groups. */
function browserTitles(tier: string): string[] {
  const args = [join(ROOT, 'e2e/node_modules/@playwright/test/cli.js'), 'test', '--list', '--reporter=json'];
  const options = { cwd: join(ROOT, 'e2e'), encoding: 'utf8', env: envOf(tier), maxBuffer: 2 ** 26 } as const;
  const titles: string[] = [];
  const visit = (suite: Suite, above: string[]) => {
    const here = [...above, suite.title];
    for (const { title } of suite.specs) titles.push([...here, title].join(' '));
    for (const inner of suite.suites ?? []) visit(inner, here);
  };
  const { suites } = JSON.parse(execFileSync(process.execPath, args, options)) as { suites: Suite[] };
  for (const suite of suites) visit(suite, []);
  return titles.toSorted();
}

interface Suite {
  title: string;
  specs: { title: string }[];
  suites?: Suite[];
}

function envOf(tier: string): NodeJS.ProcessEnv {
  return { ...process.env, TEST_TIER: tier, JEST_WORKER_ID: undefined };
}

function fromRoot(path: string): string {
  return relative(ROOT, path).replaceAll('\\', '/');
}

function scriptsOf(folder: string): Record<string, string> {
  return JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')).scripts;
}

test('every file of tests runs in the full tier, and in the quick one but for those that are listed', () => {
  // The tests of the search cluster run separately, with a cluster.
  const all = inCheckout('*.test.ts', '*.test.tsx').filter((file) => !file.startsWith('apps/api/tests/search-cluster'));
  expect(all.length).toBeGreaterThan(200);
  expect(jestFiles('full')).toEqual(all);
  expect(jestFiles('')).toEqual(all.filter((file) => !files.includes(file)));
  expect(files.filter((file) => !all.includes(file))).toEqual([]);
});

test('every browser test runs in the full tier, and in the quick one but for those that are listed', () => {
  const all = browserTitles('full');
  const specs = inCheckout('*.spec.*').map((file) => file.replace('e2e/', ''));
  expect(specs.filter((file) => !all.some((title) => title.startsWith(`${file} `)))).toEqual([]);
  const isListed = (title: string) => browserTests.some((start) => title.startsWith(start));
  expect(browserTitles('')).toEqual(all.filter((title) => !isListed(title)));
  expect(browserTests.filter((start) => !all.some((title) => title.startsWith(start)))).toEqual([]);
});

test('each workspace with tests is among those that run', () => {
  const folders = inCheckout('*.test.*', '*.spec.*').map((file) =>
    /^(apps|packages)\//.test(file) ? file.split('/').slice(0, 2).join('/') : file.split('/')[0],
  );
  // packages/local-search runs the API's tests against a cluster.
  expect([...new Set([...folders, 'packages/local-search'])].toSorted()).toEqual(TESTED.toSorted());
  const silent = TESTED.filter((folder) => folder !== 'scripts' && !('test' in scriptsOf(folder)));
  expect(silent).toEqual([]);
});

test('files whose tests do less in the quick tier are listed', () => {
  const found = inCheckout('*.ts', '*.tsx').filter((file) => {
    if (file.startsWith('packages/tiers/')) return false;
    return /\bisFull\b[^;]*from '@archive\/tiers'/.test(readFileSync(join(ROOT, file), 'utf8'));
  });
  expect(found).toEqual(conditions.toSorted());
});

test('no test is skipped, left for later, or run alone', () => {
  const found = inCheckout('*.test.*', '*.spec.*').filter((file) =>
    /\b(x(it|test|describe)\(|f(it|describe)\(|(it|test|describe)(\.concurrent)?\.(skip|only|todo|fixme|fail|failing)\b)/.test(
      readFileSync(join(ROOT, file), 'utf8'),
    ),
  );
  expect(found).toEqual([]);
});
