import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  missingForSearch,
  newestVersion,
  openLocalSearch,
  openS3Proxy,
  type SearchVersion,
  versions,
} from '../packages/local-search/src/index.ts';
import { BIN, ROOT, run } from '../packages/processes/src/index.ts';
import { beginResults } from './test-results.ts';

/**
 * Runs the list tests against a search cluster of three nodes. The full tier runs them on each engine version that this
 * machine has a JDK for, and runs the media tests against a second S3 server. If no cluster can run, the tests are
 * skipped and the last line says so; `SEARCH_TESTS=must` makes that a failure.
 *
 * `npm run test:search -- FILE... [-t NAME]` runs these tests of the API on a cluster of the newest engine.
 */

const isFull = process.env['TEST_TIER'] === 'full';
const REFERENCES = ['tests/archive-reference', 'tests/figures-reference'];
const given = process.argv.slice(2);
const missing = missingForSearch();
const notRun = missing ? `the tests of the search cluster: ${missing}` : undefined;
const env = beginResults('packages/local-search', notRun);
if (missing) {
  console.log(`The tests of the search cluster were not run: ${missing}.`);
  process.exitCode = process.env['SEARCH_TESTS'] === 'must' || given.length > 0 ? 1 : 0;
} else {
  const first = newestVersion() ?? 'old';
  const all = [...REFERENCES, isFull ? 'tests/search-cluster' : 'tests/search-cluster.test'];
  const isAll = given.length === 0;
  const codes = [await testOn(first, isAll ? all : given)];
  const others = isFull && isAll ? versions().filter((version) => version !== first) : [];
  for (const version of others) codes.push(await testOn(version, [...REFERENCES, 'tests/search-cluster.test']));
  if (isFull && isAll) codes.push(await testMedia());
  process.exitCode = Math.max(...codes);
}

async function testOn(version: SearchVersion, files: string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'search-cluster-'));
  const cluster = await openLocalSearch({ folder, version, isBrief: true });
  try {
    return await runTests(files, { TEST_SEARCH_URL: cluster.url });
  } finally {
    await cluster.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function testMedia(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 's3-proxy-'));
  const store = await openS3Proxy(folder);
  try {
    return await runTests(['src/media/bytes/byte-store.test', 'tests/media.test'], {
      TEST_S3_URL: store.url,
      TEST_S3_BUCKETS: store.buckets,
    });
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runTests(files: string[], cluster: NodeJS.ProcessEnv): Promise<number> {
  const reporters = ['--reporters=default', `--reporters=${join(ROOT, 'jest.reporter.cjs')}`];
  // The quick tier runs two files at once, because they mostly wait for the cluster.
  const shard = process.env['TEST_SHARD'] ? [`--shard=${process.env['TEST_SHARD']}`] : [];
  const options = [
    '--selectProjects',
    'api',
    ...shard,
    ...(given.length === 0 ? ['--passWithNoTests'] : ['--verbose']),
    isFull ? '--runInBand' : '--maxWorkers=2',
    '--forceExit',
    ...reporters,
  ];
  const timeoutMs = isFull ? 3_600_000 : 1_800_000;
  const { code } = await run(join(BIN, 'jest'), [...files, ...options], { env: { ...env, ...cluster }, timeoutMs });
  return code;
}
