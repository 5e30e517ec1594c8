import { afterEach, expect, it, jest } from '@jest/globals';
import { IndexBuilds } from './index-builds.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

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

it('gives the lease up only after its last renewal', async () => {
  let renew = () => {};
  const ticking = ((work: () => void) => {
    renew = work;
  }) as unknown as typeof setInterval;
  jest.spyOn(globalThis, 'setInterval').mockImplementation(ticking);
  const told: string[] = [];
  let renewed = () => {};
  let end = () => {};
  const take = async () => {
    if (told.push('taking') === 1) return true;
    await new Promise<void>((resolve) => {
      renewed = resolve;
    });
    told.push('renewed');
    return true;
  };
  const lease = { take, end: async () => void told.push('ended') };
  const parts = { lease } as unknown as ConstructorParameters<typeof IndexBuilds>[0];
  const working = new Promise<void>((resolve) => {
    end = resolve;
  });
  const held = new IndexBuilds(parts, new AbortController().signal).tryHolding(() => working);
  await new Promise(setImmediate);
  renew();
  end();
  await new Promise(setImmediate);
  renewed();
  expect(await held).toBe(true);
  expect(told).toEqual(['taking', 'taking', 'renewed', 'ended']);
});
