import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { runFeatureTrials } from '../bench/feature-trials.ts';

// A few of the thousand that `npm run bench -- featuring` makes.
test('payments while the API and the node fail are applied once or kept as credits', async () => {
  const report = await runFeatureTrials({ runs: 20, seed: 8, dist: join(__dirname, '../dist') });
  expect(report.wrong).toEqual([]);
  expect(report.runs).toBe(20);
  expect(report.applied).toBeGreaterThan(8);
}, 180_000);
