import { SERIES_MS } from '@archive/tiers';
import { expect, it } from '@jest/globals';
import { runImportKills } from '../trials/import-kills.ts';
import { runLaunchKills, runLaunchRaces } from '../trials/launch-kills.ts';
import { runPaymentFaults } from '../trials/payment-faults.ts';
import { runReactionKills } from '../trials/reaction-kills.ts';
import { runTwoProcesses } from '../trials/two-processes.ts';

// A few rounds of each series of `npm run bench`. They mostly wait for a lease or a claim to expire, so two run at
// once.

it.concurrent(
  'makes one token for each post, whatever is killed when',
  async () => {
    const report = await runLaunchKills({ trials: 5, seed: 3 });
    expect(report.wrong).toEqual([]);
    expect(report.launches).toBe(20);
    expect(Object.keys(report.byState)).toEqual(expect.arrayContaining(['claimed', 'signed', 'sent']));
  },
  SERIES_MS,
);

it.concurrent(
  'payments while the API and the node fail are applied once or kept as credits',
  async () => {
    const report = await runPaymentFaults({ runs: 20, seed: 8 });
    expect(report.wrong).toEqual([]);
    expect(report.runs).toBe(20);
    expect(report.applied).toBeGreaterThan(8);
  },
  SERIES_MS,
);

it.concurrent(
  'loses no acknowledged post when API, engine or importer are killed',
  async () => {
    const report = await runImportKills({ trials: 3, seed: 14, imported: 5_000 });
    expect(report.lost).toEqual([]);
    expect(report.differences).toEqual([]);
    expect(report.killed).toEqual({ API: 1, database: 1, importer: 1 });
    expect(report.acknowledged).toBeGreaterThan(0);
  },
  SERIES_MS,
);

it.concurrent(
  'loses no acknowledged reaction or profile change when API or engine are killed',
  async () => {
    const report = await runReactionKills({ trials: 4, seed: 5 });
    expect(report.wrong).toEqual([]);
    expect(report.acknowledged).toBeGreaterThan(20);
  },
  SERIES_MS,
);

it.concurrent(
  'of many users at once one launches, in the built product',
  async () => {
    const report = await runLaunchRaces({ rounds: 3, users: 30 });
    expect(report.wrong).toEqual([]);
    expect(report.launches).toBe(3);
  },
  SERIES_MS,
);

it.concurrent(
  'two processes show the same, whatever the clock of one of them says, and cut no request when they end',
  async () => {
    const report = await runTwoProcesses({ rounds: 3, seed: 4 });
    expect(report.wrong).toEqual([]);
    expect(report.changes).toBe(180);
    expect(report.answered).toBeGreaterThan(30);
  },
  SERIES_MS,
);
