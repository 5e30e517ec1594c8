import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { runLaunchKills, runLaunchRaces } from '../bench/launch-trials.ts';

const dist = join(__dirname, '../dist');

// The full series is `npm run bench -- launches`.
it('makes one token for each post, whatever is killed when', async () => {
  const report = await runLaunchKills({ trials: 5, seed: 3, dist });
  expect(report.wrong).toEqual([]);
  expect(report.launches).toBe(20);
  expect(Object.keys(report.byState)).toEqual(expect.arrayContaining(['claimed', 'signed', 'sent']));
}, 240_000);

it('of many users at once one launches, in the built product', async () => {
  const report = await runLaunchRaces({ rounds: 3, users: 30, dist });
  expect(report.wrong).toEqual([]);
  expect(report.launches).toBe(3);
}, 120_000);
