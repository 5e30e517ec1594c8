import { SERIES_MS } from '@archive/tiers';
import { expect, it } from '@jest/globals';
import { runDrill } from '../trials/drill.ts';

// A few rounds of `npm run bench -- drill`.
it(
  'loses the database and has it back: nothing removed, no second token, no payment lost or counted twice',
  async () => {
    const report = await runDrill({ rounds: 3, seed: 4 });
    expect(report.wrong).toEqual([]);
    expect(report).toMatchObject({ rounds: 3, removed: expect.any(Number) });
    expect(Math.min(report.removed, report.payments, report.uses, report.tokens)).toBeGreaterThan(3);
  },
  SERIES_MS,
);
