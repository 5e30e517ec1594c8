import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { runCrashTrials } from '../bench/crash-trials.ts';

// The full series is `npm run bench -- faults`.
it('loses no acknowledged post when API, engine or importer are killed', async () => {
  const report = await runCrashTrials({ trials: 3, seed: 7, dist: join(__dirname, '../dist') });
  expect(report.lost).toEqual([]);
  expect(report.differences).toEqual([]);
  expect(report.killed).toEqual({ api: 1, engine: 1, importer: 1 });
  expect(report.acknowledged).toBeGreaterThan(0);
}, 180_000);
