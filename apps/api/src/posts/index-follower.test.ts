import { IndexAwayError, type IndexedPost, type IndexPosition, NoRoomError, type RebuildSource } from '@archive/search';
import { until } from '@archive/tiers';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { ObjectId, Timestamp } from 'mongodb';
import { IndexFollower } from './index-follower.ts';
import type { IndexSource } from './indexed-source.ts';

const HOUR_MS = 3_600_000;

interface Stored {
  content: string;
  changedAt: Timestamp;
  removedAt?: Date;
}

/** An index file in memory: the content of each post by its id. */
type File = Map<string, string>;

let stored: Map<string, Stored>;
let file: File;
let position: IndexPosition | null;
let goneSince: number | null;
/** The number of further posts in the index. */
let others: number;
let builds: number;
let isLeased: boolean;
/** The database's count of changes from a second on. */
let waiting: (second: number, limit?: number) => number;
/** Called at each stage of a build. */
let onBuild: (stage: 'begun' | 'read' | 'found' | 'used') => unknown;
/** Whether all processes share the index. */
let isShared: boolean;
let onApply: (posts: IndexedPost[]) => unknown;
/** The number of changes that one look reads. */
let lookLimit: number;
let logged: string[];
/** Reported positions, and whether an earlier change was still missing. */
let told: { at: number; isTooFar: boolean }[];
let follower: IndexFollower;

function change(id: ObjectId, content: string): void {
  const changedAt = new Timestamp({ t: Math.floor(Date.now() / 1_000), i: stored.size + content.length });
  stored.set(id.toHexString(), { content, changedAt });
}

function save(content: string): ObjectId {
  const id = new ObjectId();
  change(id, content);
  return id;
}

const sourceOf = ([id, { content, changedAt, removedAt }]: [string, Stored]) =>
  ({
    _id: new ObjectId(id),
    content,
    changedAt,
    author: 'Ada',
    authorUsername: 'ada',
    url: 'https://x.com/ada/status/1',
    timestamp: new Date(0),
    createdAt: new Date(0),
    ...(removedAt && { removedAt }),
  }) as IndexSource;

function take(into: File, posts: IndexedPost[]): number {
  const idOf = ({ oid }: IndexedPost) => Buffer.from(oid).toString('hex');
  const differing = posts.filter((post) => into.get(idOf(post)) !== post.content);
  for (const post of differing) {
    if (post.removed) into.delete(idOf(post));
    else into.set(idOf(post), post.content);
  }
  return differing.length;
}

/** Starts the follower of that index, over a database that the test fills. */
function follow(): Promise<void> {
  let next: File | null = null;
  const index = {
    isShared,
    tidy: async () => {},
    summary: async () => ({ posts: file.size + others, position, goneSince }),
    apply: async (posts: IndexedPost[], at: IndexPosition | null) => {
      await onApply(posts);
      position = at ?? position;
      if (next) take(next, posts);
      return take(file, posts);
    },
    ask: async () => [],
    rebuild: async ({ posts, catchUp }: RebuildSource) => {
      builds++;
      await onBuild('begun');
      const built: File = new Map();
      for await (const batch of posts) take(built, batch);
      await onBuild('read');
      next = built;
      position = await catchUp(async (some) => {
        await onBuild('found');
        take(built, some);
      });
      [file, next, goneSince] = [built, null, null];
      await onBuild('used');
    },
  };
  const source = {
    async *readAll() {
      yield [...stored].map(sourceOf);
    },
    async *changesSince(second: number) {
      for (const [id, { changedAt }] of [...stored]) {
        if (changedAt.getHighBits() >= second) yield { _id: new ObjectId(id), changedAt };
      }
    },
    find: async (ids: ObjectId[]) =>
      ids.flatMap((id) => {
        const held = stored.get(id.toHexString());
        return held ? [sourceOf([id.toHexString(), held])] : [];
      }),
    removedSince: async (second: number) =>
      [...stored]
        .map(sourceOf)
        .filter(({ removedAt, changedAt }) => removedAt && Number(changedAt?.getHighBits()) >= second),
    countChanges: async (second: number, limit?: number) => {
      // As MongoDB does.
      if (limit === 0) throw new Error('the limit must be positive');
      return waiting(second, limit);
    },
    readPage: async () => [],
  };
  follower = new IndexFollower({
    index,
    source,
    store: {
      countLive: async () => stored.size,
      estimateCount: async () => stored.size,
      isEmpty: async () => stored.size === 0,
    },
    state: { mark: async () => ({ beat: 1_000, epoch: 'epoch' }) },
    clock: { measure: async () => new Date() },
    log: { info() {}, error: (_: object, message: string) => logged.push(message) },
    lease: { take: async () => !isLeased, end: async () => {} },
    keeper: { take: async () => true, end: async () => {} },
    positions: {
      begin: async () => {},
      tell: async (at: number) => {
        const missing = [...stored].filter(([id, { content }]) => (file.get(id) ?? '') !== content);
        const stamps = missing.map(([, { changedAt }]) => (changedAt.getHighBits() + 1) * 1_000);
        told.push({ at, isTooFar: stamps.some((stamp) => at > stamp) });
      },
      end: async () => {},
    },
    passMs: HOUR_MS,
    lookLimit,
  } as unknown as ConstructorParameters<typeof IndexFollower>[0]);
  return follower.start();
}

const contents = () => [...file.values()].sort();

beforeEach(() => {
  [stored, file, position, goneSince] = [new Map(), new Map(), { at: Date.now(), beat: 1 }, null];
  [builds, isLeased, logged, told, others] = [0, false, [], [], 0];
  waiting = () => 0;
  onBuild = () => {};
  [isShared, onApply, lookLimit] = [false, () => {}, 5];
});

afterEach(async () => {
  jest.restoreAllMocks();
  await follower.stop();
});

it('builds a first file also while another process builds, and follows on from it', async () => {
  [position, isLeased] = [null, true];
  save('one');
  await follow();
  expect([builds, contents()]).toEqual([1, ['one']]);
  save('two');
  await until(() => contents().join() === 'one,two');
  expect(builds).toBe(1);
});

it('builds none where nothing is kept yet, and follows on from there', async () => {
  position = null;
  const beganAt = Date.now();
  await follow();
  expect([builds, position]).toEqual([0, { at: expect.any(Number), beat: 1_000 }]);
  expect((position as unknown as IndexPosition).at).toBeGreaterThanOrEqual(beganAt);
  save('one');
  await until(() => contents().join() === 'one');
  expect(builds).toBe(0);
});

it('takes nothing into a new file before that is whole, also of what this process has saved', async () => {
  position = null;
  let taken: string[] | undefined;
  onApply = async () => {
    if (taken) return;
    taken = [];
    await follower.take({ kind: 'added', ids: [save('one')] });
    taken = contents();
  };
  await follow();
  expect(taken).toEqual([]);
  await until(() => contents().join() === 'one');
});

it('begins with a new file where more was saved while it was down than is worth taking in post by post', async () => {
  isLeased = true;
  for (let post = 0; post < 12; post++) save(`${post}`);
  waiting = () => (builds === 0 ? 1e6 : 0);
  await follow();
  expect([builds, file.size]).toEqual([1, 12]);
});

it('builds where the first posts of an empty archive come as a flood while it is down', async () => {
  for (let post = 0; post < 12; post++) save(`${post}`);
  waiting = () => (builds === 0 ? 1e6 : 0);
  await follow();
  expect([builds, file.size]).toEqual([1, 12]);
});

it('takes nothing of a flood in post by post, and builds once it is over', async () => {
  await follow();
  isLeased = true;
  waiting = () => 1e6;
  for (let post = 0; post < 12; post++) save(`${post}`);
  await until(() => follower.behindMs > 1_200 && told.length > 1);
  expect([builds, file.size]).toEqual([0, 0]);
  expect(told.filter(({ isTooFar }) => isTooFar)).toEqual([]);
  isLeased = false;
  // The last four seconds have no changes.
  waiting = (second) => (second >= Math.floor(Date.now() / 1_000) - 4 ? 0 : 1e6);
  await until(() => file.size === 12);
  expect(builds).toBe(1);
  await until(() => follower.behindMs < 1_000);
});

it('waits for the end of a flood that is small beside what it holds, and takes it in post by post', async () => {
  others = 1e6;
  await follow();
  waiting = () => 1e5;
  for (let post = 0; post < 12; post++) save(`${post}`);
  await until(() => follower.behindMs > 1_200);
  expect([builds, file.size]).toEqual([0, 0]);
  // The last four seconds have no changes.
  waiting = (second) => (second >= Math.floor(Date.now() / 1_000) - 4 ? 0 : 1e5);
  await until(() => file.size === 12);
  expect(builds).toBe(0);
  await until(() => follower.behindMs < 1_000);
});

it('builds after all where a flood goes on after it was to be taken in post by post', async () => {
  others = 1e6;
  await follow();
  let isOver = false;
  let wait = 1e5;
  const lately = () => Math.floor(Date.now() / 1_000) - 4;
  waiting = (second) => (isOver && second >= lately() ? 0 : wait);
  for (let post = 0; post < 12; post++) save(`${post}`);
  for (const one of stored.values()) one.changedAt = new Timestamp({ t: lately() - 3, i: one.changedAt.getLowBits() });
  await until(() => follower.behindMs > 1_200);
  isOver = true;
  // Twelve changes take three looks.
  await until(() => file.size === 5);
  wait = 3e5;
  await until(() => builds === 1);
  expect(file.size).toBe(12);
});

it('takes in removals while a flood goes on', async () => {
  const id = save('to be removed');
  await follow();
  isLeased = true;
  waiting = () => 1e6;
  for (let post = 0; post < 12; post++) save(`${post}`);
  await until(() => follower.behindMs > 1_200);
  change(id, '');
  Object.assign(stored.get(id.toHexString()) ?? {}, { removedAt: new Date() });
  await until(() => file.size === 0);
  expect(builds).toBe(0);
  await until(() => follower.waiting > 0);
});

it('builds a new file once words have been gone from the archive for most of a day', async () => {
  goneSince = Date.now() - 19 * HOUR_MS;
  await follow();
  save('seen');
  await until(() => contents().join() === 'seen');
  expect(builds).toBe(0);
  goneSince = Date.now() - 20 * HOUR_MS;
  await until(() => builds === 1 && goneSince === null);
});

it('takes in again what the build may have read before it changed', async () => {
  const id = save('old');
  await follow();
  let isChanged = false;
  onBuild = async (stage) => {
    // The build has read the old post. The change reaches both files before the build hands its file over.
    if (stage !== 'found') return;
    change(id, 'new');
    await until(() => contents().join() === 'new');
    isChanged = true;
  };
  goneSince = 0;
  await until(() => isChanged && builds === 1 && goneSince === null);
  await until(() => contents().join() === 'new');
});

it('takes in again what was read before it changed, also where the build fails after its file is in use', async () => {
  const id = save('old');
  await follow();
  onBuild = async (stage) => {
    if (stage === 'found') {
      change(id, 'new');
      await until(() => contents().join() === 'new');
    }
    if (stage === 'used') throw new Error('no writer');
  };
  goneSince = 0;
  await until(() => builds === 1 && goneSince === null);
  await until(() => contents().join() === 'new');
  expect(logged).toEqual(['the archive index could not be built; trying again']);
});

it('counts no more changes than decide, and seldom, while another process builds', async () => {
  others = 1_000;
  const most: (number | undefined)[] = [];
  await follow();
  isLeased = true;
  waiting = () => 1e6;
  for (let post = 0; post < 12; post++) save(`${post}`);
  await until(() => follower.behindMs > 1_200);
  waiting = (second, limit) => {
    most.push(limit);
    // The last four seconds have no changes.
    return second >= Math.floor(Date.now() / 1_000) - 4 ? 0 : 1e6;
  };
  await until(() => most.includes(250));
  const { behindMs } = follower;
  await until(() => follower.behindMs > behindMs + 1_200);
  // A quarter of the 1,000 posts in the index.
  expect(most.filter((limit) => limit === 250)).toHaveLength(1);
});

it('says once that the disk has no room for two files, and takes in post by post meanwhile', async () => {
  onBuild = () => {
    throw new NoRoomError({ needed: 3e9, free: 1e9 });
  };
  goneSince = 0;
  const { now } = performance;
  let passed = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + passed);
  await follow();
  await until(() => builds === 1);
  expect(follower.noRoom).toBe('the disk has no room for a second index file: 3000 MB are needed and 1000 MB are free');
  waiting = () => 1e6;
  for (let post = 0; post < 12; post++) save(`${post}`);
  await until(() => file.size === 12);
  expect(builds).toBe(1);
  passed = 61_000;
  await until(() => builds === 2);
  expect(logged).toEqual(['the archive index could not be built; trying again']);
  onBuild = () => {};
  passed = 122_000;
  await until(() => follower.noRoom === null);
  expect(builds).toBe(3);
});

it('answers a change that a shared index does not take in for seconds, and is not ready until it has', async () => {
  isShared = true;
  await follow();
  await until(() => follower.isReady);
  let goOn = () => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  onApply = () => held;
  const { setTimeout: set } = globalThis;
  const soon = (work: () => void, ms?: number) => set(work, ms === 15_100 ? 0 : ms);
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(soon as typeof setTimeout);
  await follower.take({ kind: 'added', ids: [save('one')] });
  expect([follower.isReady, follower.refusal?.reason, contents()]).toEqual([false, 'away', []]);
  goOn();
  await until(() => follower.isReady);
  expect(contents()).toEqual(['one']);
});

it('takes what is saved before the first look at a shared index has ended, so that other processes list it', async () => {
  isShared = true;
  let goOn = () => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  save('one');
  onApply = (posts) => (posts[0]?.content === 'one' ? held : undefined);
  await follow();
  await follower.take({ kind: 'added', ids: [save('two')] });
  const taken = contents();
  goOn();
  expect(taken).toEqual(['two']);
  await until(() => contents().join() === 'one,two');
});

it('says nothing of what is saved while a shared index is built, and lists it then', async () => {
  [isShared, isLeased, position] = [true, true, null];
  onApply = () => {
    throw new IndexAwayError('building', 'there is no index');
  };
  await follow();
  await until(() => follower.isAway);
  await follower.take({ kind: 'added', ids: [save('one')] });
  expect([contents(), logged]).toEqual([[], []]);
  onApply = () => {};
  isLeased = false;
  await until(() => contents().join() === 'one' && follower.isReady);
});

it('answers lists while a look takes in a flood part by part, however long that takes', async () => {
  [isShared, lookLimit] = [true, 100_000];
  await follow();
  await until(() => follower.isReady);
  const clock = performance.now.bind(performance);
  let passed = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => clock() + passed);
  const wasAway: boolean[] = [];
  onApply = async (posts) => {
    // The first part takes longer than the time after which a look counts as late.
    if (posts.length > 1) passed += 900_000;
    await new Promise((resolve) => setTimeout(resolve, 20));
    if (posts.length > 0) wasAway.push(follower.isAway);
  };
  for (let at = 0; at < 10_001; at++) save(`of a flood ${at}`);
  await until(() => file.size === 10_001);
  // Nor is it late afterwards, because the next look reads everything.
  save('after the flood');
  await until(() => file.size === 10_002);
  expect([wasAway, logged]).toEqual([[false, false, false], []]);
});
