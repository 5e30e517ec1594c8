import { expect, it } from '@jest/globals';
import { IndexBuilds } from './index-builds.ts';

it('does one work at a time under the lease, in one process as in several', async () => {
  const lease = { take: async () => true, end: async () => {} };
  const parts = { lease } as unknown as ConstructorParameters<typeof IndexBuilds>[0];
  const builds = new IndexBuilds(parts, new AbortController().signal);
  let begin = () => {};
  let end = () => {};
  const isBegun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const isOver = new Promise<void>((resolve) => {
    end = resolve;
  });
  const first = builds.tryHolding(() => {
    begin();
    return isOver;
  });
  await isBegun;
  expect(await builds.tryHolding(async () => {})).toBe(false);
  end();
  expect(await first).toBe(true);
  expect(await builds.tryHolding(async () => {})).toBe(true);
});
