import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { missingForSearch, openLocalSearch } from '../packages/local-search/src/index.ts';
import { BIN, ROOT, run } from '../packages/processes/src/index.ts';
import { beginResults } from './test-results.ts';

/**
 * The tests of lists, asked of a search cluster of three nodes. Where no cluster can run they are not run, and the last
 * line says so; `SEARCH_TESTS=must` fails then.
 */

const isFull = process.env['TEST_TIER'] === 'full';
const OWN = isFull ? 'tests/search-cluster' : 'tests/search-cluster.test';
const FILES = ['tests/archive-reference', 'tests/figures-reference', OWN];
const env = beginResults('packages/local-search');
const missing = missingForSearch();
if (missing) {
  console.log(`The tests of the search cluster were not run: ${missing}.`);
  process.exitCode = process.env['SEARCH_TESTS'] === 'must' ? 1 : 0;
} else {
  const folder = mkdtempSync(join(tmpdir(), 'search-cluster-'));
  const cluster = await openLocalSearch({ folder });
  try {
    const reporters = ['--reporters=default', `--reporters=${join(ROOT, 'jest.reporter.cjs')}`];
    const { code } = await run(
      join(BIN, 'jest'),
      [...FILES, '--selectProjects', 'api', '--runInBand', '--forceExit', ...reporters],
      {
        env: { ...env, TEST_SEARCH_URL: cluster.url },
        timeoutMs: isFull ? 3_600_000 : 1_800_000,
      },
    );
    process.exitCode = code;
  } finally {
    await cluster.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
