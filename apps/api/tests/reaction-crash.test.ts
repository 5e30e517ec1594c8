import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { runReactionTrials } from '../bench/reaction-trials.ts';

// The full series is `npm run bench -- reactions`.
it('loses no acknowledged reaction or profile change when API or engine are killed', async () => {
  const report = await runReactionTrials({ trials: 4, seed: 5, dist: join(__dirname, '../dist') });
  expect(report.wrong).toEqual([]);
  expect(report.acknowledged).toBeGreaterThan(20);
}, 120_000);
