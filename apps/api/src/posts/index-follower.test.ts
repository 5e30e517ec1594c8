import type { Forgetting } from '@archive/search';
import { until } from '@archive/tiers';
import { expect, it } from '@jest/globals';
import { IndexFollower } from './index-follower.ts';

/** Of one look after the other, what the index was asked. An empty archive; nothing but the index fails. */
async function followed(forget: () => Forgetting, isOver: (asked: string[]) => boolean) {
  const asked: string[] = [];
  const failed: string[] = [];
  const ask = <T>(what: string, answer: () => T) => {
    return async () => {
      asked.push(what);
      return answer();
    };
  };
  const index = {
    summary: async () => ({ isEmpty: false, position: { at: 0, beat: 0 }, posts: 0 }),
    apply: async () => 0,
    walk: async () => [],
    tidy: ask('tidy', () => false),
    forget: ask('forget', forget),
  };
  const store = { countLive: async () => 0, estimateCount: ask('walk', () => 0) };
  const source = { async *changesSince() {}, readPage: async () => [] };
  const follower = new IndexFollower({
    index,
    store,
    source,
    state: { mark: async () => ({ beat: 1, epoch: 'epoch' }) },
    clock: { measure: ask('look', () => new Date()) },
    log: { info() {}, error: (_: object, message: string) => failed.push(message) },
    passMs: 1,
  } as unknown as ConstructorParameters<typeof IndexFollower>[0]);
  await follower.start();
  await until(() => isOver(asked));
  await follower.stop();
  return { asked, failed };
}

const count = (asked: string[], what: string) => asked.filter((one) => one === what).length;

it('compares and merges all the same where what was removed cannot be overwritten, and tries that again later', async () => {
  const full = () => {
    throw new Error('database or disk is full');
  };
  const { asked, failed } = await followed(full, (all) => all.includes('tidy'));
  expect(count(asked, 'tidy')).toBeGreaterThan(0);
  expect(count(asked, 'walk')).toBeGreaterThan(1);
  expect(count(asked, 'forget')).toBe(1);
  expect(failed).toEqual(['what removed posts left in the index file could not be overwritten yet']);
});

it('overwrites on and on, and waits for the next look where somebody reads what was there before', async () => {
  let steps = 0;
  const { asked } = await followed(
    () => (++steps < 5 ? 'more' : 'later'),
    (all) => count(all, 'forget') >= 7,
  );
  const [, first = [], second = []] = asked
    .join()
    .split('look')
    .map((look) => look.split(','));
  expect([count(second, 'forget'), first.length]).toEqual([5, 2]);
  const later = asked
    .join()
    .split('look')
    .slice(3)
    .filter((look) => look.includes('forget'));
  expect(later.length).toBeGreaterThan(0);
  for (const look of later) expect(count(look.split(','), 'forget')).toBe(1);
});
