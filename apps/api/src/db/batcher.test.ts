import { expect, test } from '@jest/globals';
import { Batcher } from './batcher.ts';

test('what arrives while a batch is on its way goes out together, in order, each with its own answer', async () => {
  const batches: number[][] = [];
  const batcher = new Batcher(
    async (items: number[]) => {
      batches.push(items);
      await Promise.resolve();
      return items.map((item) => item * 10);
    },
    { limit: 3 },
  );
  const answers = await Promise.all([1, 2, 3, 4, 5, 6].map((item) => batcher.ask(item)));
  expect(answers).toEqual([10, 20, 30, 40, 50, 60]);
  expect(batches).toEqual([[1], [2, 3, 4], [5, 6]]);
});

test('an error among the answers is of one item alone', async () => {
  const batcher = new Batcher(async (items: number[]) => items.map((item) => (item < 0 ? new Error('below') : item)));
  const asked = await Promise.allSettled([1, -1, 2].map((item) => batcher.ask(item)));
  expect(asked.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('a batch that fails fails for those in it, and the next goes on', async () => {
  const batcher = new Batcher(async (items: string[]) => {
    if (items.includes('bad')) throw new Error('away');
    return items;
  });
  const asked = [batcher.ask('first'), batcher.ask('bad'), batcher.ask('beside')];
  expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  await expect(batcher.ask('after')).resolves.toBe('after');
});

test('a batch that never ends is given up, and the next goes on', async () => {
  const batcher = new Batcher(
    (items: string[]) => (items.includes('stuck') ? new Promise<string[]>(() => {}) : Promise.resolve(items)),
    { giveUpMs: 10 },
  );
  const stuck = batcher.ask('stuck');
  const next = batcher.ask('next');
  await expect(stuck).rejects.toThrow('did not answer');
  await expect(next).resolves.toBe('next');
});
