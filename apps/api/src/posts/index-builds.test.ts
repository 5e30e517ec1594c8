import { expect, it } from '@jest/globals';
import { IndexBuilds } from './index-builds.ts';

it('does one work at a time under the lease, in one process as in several', async () => {
  const lease = { take: async () => true, end: async () => {} };
  const parts = { lease } as unknown as ConstructorParameters<typeof IndexBuilds>[0];
  const builds = new IndexBuilds(parts, new AbortController().signal);
  let end = () => {};
  const isBegun = new Promise<void>((begun) => {
    const first = builds.tryHolding(() => {
      begun();
      return new Promise((resolve) => {
        end = resolve;
      });
    });
    void first;
  });
  await isBegun;
  expect(await builds.tryHolding(async () => {})).toBe(false);
  end();
  await new Promise(setImmediate);
  expect(await builds.tryHolding(async () => {})).toBe(true);
});
