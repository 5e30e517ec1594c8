import { expect, it, jest } from '@jest/globals';
import { ObjectId } from 'mongodb';
import { IndexWalk } from './index-walk.ts';

it('compares a bounded number of posts in one step, also where the database lacks many, and finds all', async () => {
  const ids = Array.from({ length: 1_750 }, (_, n) => new ObjectId(n.toString(16).padStart(24, '0')));
  const after = <T>(all: T[], idOf: (one: T) => ObjectId, from: ObjectId | null) =>
    all.filter((one) => !from || Buffer.compare(idOf(one).id, from.id) > 0);
  // The index lacks the first 300, and the database the last 1,000.
  const [stored, indexed] = [ids.slice(0, 750).map((_id) => ({ _id })), ids.slice(300)];
  const taken: number[] = [];
  const looked: ObjectId[][] = [];
  const walk = new IndexWalk({
    index: {
      ask: async (_: string, asked: { after: Uint8Array | null; limit: number }) =>
        after(indexed, (id) => id, asked.after && new ObjectId(asked.after))
          .slice(0, asked.limit)
          .map(({ id }) => id),
    },
    store: { estimateCount: async () => 750 },
    source: {
      readPage: async (from: ObjectId | null, limit: number) => after(stored, ({ _id }) => _id, from).slice(0, limit),
    },
    take: async (posts: unknown[]) => {
      taken.push(posts.length);
      return 0;
    },
    lookAgain: async (extra: ObjectId[]) => void looked.push(extra),
  } as unknown as ConstructorParameters<typeof IndexWalk>[0]);
  walk.hurry();
  for (let steps = 0; walk.isDue && steps < 10; steps++) await walk.step();
  expect(taken.reduce((sum, count) => sum + count)).toBe(750);
  expect(looked.flat().map(String)).toEqual(ids.slice(750).map(String));
  expect(Math.max(...looked.map(({ length }) => length))).toBeLessThanOrEqual(500);
});

it('pauses as its figures say: less than an hour for a million posts, and no shorter pauses for more', async () => {
  const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
  const pauseOf = async (posts: number) => {
    clock.mockReturnValue(0);
    const walk = new IndexWalk({
      index: { ask: async () => [] },
      store: { estimateCount: async () => posts },
      source: { readPage: async () => [] },
      take: async () => 0,
      lookAgain: async () => {},
    } as unknown as ConstructorParameters<typeof IndexWalk>[0]);
    await walk.step();
    for (let ms = 0; ; ms += 100) {
      clock.mockReturnValue(ms);
      if (walk.isDue) return ms;
    }
  };
  expect([await pauseOf(100_000), await pauseOf(1_000_000), await pauseOf(10_000_000)]).toEqual([15_000, 1_500, 1_500]);
  clock.mockRestore();
});
