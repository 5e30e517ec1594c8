import { describe, expect, it } from '@jest/globals';
import { Patience } from './patience.ts';
import { SourceTrouble } from './source.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');

describe('patience with a platform', () => {
  const fail = (patience: Patience, error: Error) =>
    expect(patience.watch(() => Promise.reject(error))).rejects.toBe(error);
  const waitOf = (patience: Patience) => (patience.waitsUntil?.getTime() ?? NOW) - NOW;

  it('waits longer each time, a quarter of an hour at most, and not at all once it is over', async () => {
    let now = NOW;
    const patience = new Patience(() => now);
    const waits: number[] = [];
    for (let times = 0; times < 12; times++) {
      await fail(patience, new SourceTrouble('down'));
      waits.push(waitOf(patience));
    }
    for (const [at, wait] of waits.entries()) {
      const longest = Math.min(900_000, 10_000 * 2 ** at);
      expect([wait >= longest / 2, wait <= longest]).toEqual([true, true]);
    }
    now = NOW + 900_000;
    expect(patience.waitsUntil).toBeNull();
    await patience.watch(async () => {});
    now = NOW;
    await fail(patience, new SourceTrouble('down'));
    expect(waitOf(patience)).toBeLessThanOrEqual(10_000);
  });

  it('waits until the platform wants to be asked again, where that is a time to come and not absurd', async () => {
    const patience = new Patience(() => NOW);
    const until = new Date(NOW + 3_600_000);
    await fail(patience, new SourceTrouble('too many', { until }));
    expect(patience.waitsUntil).toEqual(until);
    await fail(patience, new SourceTrouble('too many', { until: new Date(0) }));
    expect(waitOf(patience)).toBeGreaterThan(0);
    await fail(patience, new SourceTrouble('too many', { until: new Date('3000-01-01T00:00:00Z') }));
    expect(waitOf(patience)).toBe(24 * 3_600_000);
  });

  it('does not wait after a failure of our own', async () => {
    const patience = new Patience(() => NOW);
    await fail(patience, new Error('no database'));
    expect(patience.waitsUntil).toBeNull();
  });
});
