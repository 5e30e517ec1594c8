import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@archive/tiers';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import Database from 'libsql';
import type { ArchiveIndex, IndexPosition } from '../archive-index.ts';
import { type IndexedPost, toRemoval } from '../indexed-post.ts';
import { aPost } from '../testing/a-post.ts';
import { inOrder } from '../testing/in-order.ts';
import { built } from '../testing/threads.ts';
import { checkIndex } from './check-index.ts';
import { building } from './files.ts';
import { openForWriting } from './index-file.ts';
import { openIndex } from './index-threads.ts';
import { Thread } from './thread.ts';

const AT = { at: 5_000, beat: 3 };
const worker = built('worker');

let folder: string;
let path: string;
let index: ArchiveIndex<null>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'generations-'));
  path = join(folder, 'index.sqlite');
  free = 1e12;
  rest.mockClear();
  index = await open();
});

afterEach(async () => {
  await index.close();
  rmSync(folder, { recursive: true, force: true });
});

let free: number;
const rest = jest.fn(async (_ms: number) => {});
const open = (epoch = 'epoch', turns: typeof inOrder = inOrder) =>
  openIndex<null>({ path, epoch, worker, turns, free: async () => free, rest });

async function reopen(turns: typeof inOrder): Promise<void> {
  await index.close();
  index = await open('epoch', turns);
}

async function* inBatches(posts: IndexedPost[]): AsyncGenerator<IndexedPost[]> {
  for (let at = 0; at < posts.length; at += 40) yield posts.slice(at, at + 40);
}

const build = (posts: IndexedPost[], position: IndexPosition = AT) =>
  index.rebuild({ posts: inBatches(posts), count: posts.length, catchUp: async () => position });

const some = (count: number, word = 'plain') =>
  Array.from({ length: count }, (_, at) => aPost({ at: 1_000_000 + at, content: `${word} words ${at}` }));

async function total(search: string): Promise<number> {
  const sort = { sortBy: 'timestamp', sortOrder: 'desc' } as const;
  const question = { filter: { search }, sort, offset: 0, limit: 12, split: false, now: 0 };
  return (await index.ask('list', question, null)).total;
}

async function differences(posts: IndexedPost[]): Promise<string[]> {
  async function* inOrderOfId() {
    yield* posts.toSorted((one, other) => Buffer.compare(one.oid, other.oid));
  }
  return (await checkIndex(path, inOrderOfId())).differences;
}

/** The index files that contain a word, even a removed one. */
const filesWith = (word: string) =>
  readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(word));

test('an index is empty until it is built, and then holds every post and up to where changes are in it', async () => {
  expect(await index.summary()).toEqual({ posts: 0, position: null, goneSince: null });
  const posts = some(300);
  await build(posts);
  expect(await index.summary()).toEqual({ posts: 300, position: AT, goneSince: null });
  expect(await total('plain')).toBe(300);
  expect(await differences(posts)).toEqual([]);
});

test('a new file is whole once it is told up to where changes are in it, and takes in posts from then on', async () => {
  await index.apply([], AT);
  const posts = some(90);
  await index.apply(posts, null);
  await reopen(inOrder);
  expect(await index.summary()).toEqual({ posts: 90, position: AT, goneSince: null });
  expect([await total('words'), await differences(posts)]).toEqual([90, []]);
});

test.each([
  ['settings', 'DELETE FROM search_config'],
  ['structure', 'DELETE FROM search_data WHERE id = 10'],
])('a file whose full text has lost its %s is replaced by an empty one at the next start', async (_, harm) => {
  await build(some(90));
  await index.close();
  const db = new Database(path);
  db.exec(harm);
  db.close();
  index = await open();
  expect(await index.summary()).toEqual({ posts: 0, position: null, goneSince: null });
  await build(some(40));
  expect(await total('plain')).toBe(40);
});

test('what is removed stays in the file until another is built, and is in no byte of that', async () => {
  const posts = some(200);
  const quokka = aPost({ content: 'quokka among words', author: 'Wombat' });
  await build([...posts, quokka]);
  await index.apply([toRemoval(quokka.oid)], null);
  expect(await total('quokka')).toBe(0);
  const { goneSince } = await index.summary();
  expect(goneSince).toBeGreaterThan(Date.now() - 60_000);
  await build(posts);
  expect([...filesWith('quokka'), ...filesWith('wombat')]).toEqual([]);
  expect((await index.summary()).goneSince).toBeNull();
  expect(await differences(posts)).toEqual([]);
});

test('what changes while the next file is built is in it as well', async () => {
  const posts = some(100);
  await build(posts);
  const [during, before] = [aPost({ content: 'quokka' }), posts[0] as IndexedPost];
  const changed = { ...before, content: 'another wording' };
  let version = 0;
  await index.rebuild({
    posts: inBatches(posts),
    count: 100,
    catchUp: async (take) => {
      await take([changed]);
      await index.apply([changed], null);
      // The new file is complete, but not yet in place.
      await index.apply([during], null);
      expect(await total('quokka')).toBe(1);
      ({ version } = index);
      return AT;
    },
  });
  expect(index.version).toBeGreaterThan(version);
  expect(await total('quokka')).toBe(1);
  expect(await total('another wording')).toBe(1);
  expect(await differences([...posts.slice(1), changed, during])).toEqual([]);
});

test('a building that fails leaves the file in use as it was, and nothing beside it', async () => {
  const posts = some(50);
  await build(posts);
  const failing = index.rebuild({
    posts: inBatches(some(500, 'other')),
    count: 500,
    catchUp: async () => {
      throw new Error('the database is gone');
    },
  });
  await expect(failing).rejects.toThrow('the database is gone');
  await index.apply([aPost({ content: 'quokka' })], null);
  expect([await total('plain'), await total('other'), await total('quokka')]).toEqual([50, 0, 1]);
  expect(existsSync(`${path}.building`)).toBe(false);
});

test('nothing holds the old file open once its questions have ended', async () => {
  const held = () =>
    readdirSync('/proc/self/fd').flatMap((fd) => {
      try {
        const target = readlinkSync(`/proc/self/fd/${fd}`);
        return target.startsWith(path) ? [target] : [];
      } catch {
        // The file was closed meanwhile.
        return [];
      }
    });
  for (let generation = 0; generation < 3; generation++) {
    await build(some(30));
    await total('plain');
  }
  await until(() => held().every((file) => !file.includes('deleted')));
  expect(new Set(held())).toEqual(new Set([path, `${path}-wal`, `${path}-shm`]));
});

test('an export that has begun goes on with the posts that it began with', async () => {
  const posts = some(2_500);
  await build(posts);
  const sort = { sortBy: 'timestamp', sortOrder: 'asc' } as const;
  const parts = index.export({}, sort, 0);
  const { value: first = [] } = await parts.next();
  await build(some(10, 'other'));
  const told = [...first];
  for await (const part of parts) told.push(...part);
  expect(told).toEqual(posts.map(({ oid }) => oid));
});

test.each([
  ['was not whole', 'building'],
  ['was whole', 'next'],
])('a file that %s when its process was killed: the next start begins with one that is', async (_, suffix) => {
  const [old, next] = [some(40, 'old'), some(60, 'new')];
  await build(next);
  await index.close();
  copyFileSync(path, join(folder, 'kept'));
  index = await open();
  await build(old);
  await index.apply([aPost({ content: 'old too' })], null);
  await index.close();
  const isWhole = suffix === 'next';
  copyFileSync(join(folder, 'kept'), `${path}.${suffix}`);
  // A log of the old file: applied to the new file, it would corrupt it.
  if (isWhole) writeFileSync(`${path}-wal`, 'a log of another file');
  index = await open();
  expect([await total('old'), await total('new')]).toEqual(isWhole ? [0, 60] : [41, 0]);
  expect(readdirSync(folder).sort()).toEqual(['index.sqlite', 'index.sqlite-shm', 'index.sqlite-wal', 'kept']);
});

test('a file that a build failed to write to is never closed as whole', async () => {
  const builder = await Thread.start(worker, { role: 'builder', path: join(folder, 'other'), epoch: 'epoch' });
  try {
    await builder.call('apply', { posts: [aPost()], position: null });
    const broken = { ...aPost(), content: undefined } as unknown as IndexedPost;
    await expect(builder.call('apply', { posts: [broken], position: AT })).rejects.toThrow();
    await expect(builder.call('apply', { posts: [], position: AT })).rejects.toThrow();
    await expect(builder.call('close', null)).rejects.toThrow();
  } finally {
    await builder.end();
  }
});

test('a second file is built only where the disk has room for it; the first one in any case', async () => {
  free = 0;
  await build(some(50));
  const { size } = statSync(path);
  free = size * 2.2 - 1;
  await expect(build(some(100))).rejects.toThrow('the disk has no room for a second index file');
  expect(await total('plain')).toBe(50);
  free = size * 2.2 + 1;
  await build(some(100));
  expect(await total('plain')).toBe(100);
});

test('a build rests before each batch while a question is under way, with nothing left to write, and not at all otherwise', async () => {
  const posts = some(2_040);
  await build(posts);
  expect(rest).not.toHaveBeenCalled();
  let answer: (() => void) | undefined;
  const waits = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await reopen((workers) => ({
    ask: (question, asker) => waits.then(() => inOrder(workers).ask(question, asker)),
  }));
  const asked = total('plain');
  const written: number[] = [];
  rest.mockImplementation(async () => {
    const file = new Database(building(path), { readonly: true });
    written.push((file.prepare('SELECT count(*) AS posts FROM post').get() as { posts: number }).posts);
    file.close();
  });
  await build(posts);
  // The writer writes 2,000 posts at once, which are 50 batches.
  expect(written).toEqual([...Array(50).fill(0), 2_000]);
  answer?.();
  expect(await asked).toBe(2_040);
  rest.mockReset();
  await build(posts);
  expect(rest).not.toHaveBeenCalled();
});

test('who has left before the question was taken keeps no build waiting', async () => {
  const posts = some(400);
  await build(posts);
  await reopen(() => ({
    ask: () => {
      throw new Error('has left');
    },
  }));
  await expect(total('plain')).rejects.toThrow('has left');
  await build(posts);
  expect(rest).not.toHaveBeenCalled();
});

test('a file that cannot be opened on a full disk is kept', async () => {
  const posts = some(30);
  await build(posts);
  await index.close();
  const { exec } = Database.prototype;
  const full = jest.spyOn(Database.prototype, 'exec').mockImplementation(function (this: Database.Database, sql) {
    if (sql.includes('synchronous = FULL')) throw Object.assign(new Error('disk is full'), { code: 'SQLITE_FULL' });
    return exec.call(this, sql);
  });
  expect(() => openForWriting(path, 'epoch')).toThrow('disk is full');
  full.mockRestore();
  index = await open();
  expect(await differences(posts)).toEqual([]);
});

test('the file of another archive is no answer', async () => {
  await build(some(5));
  await index.close();
  index = await open('another');
  expect(await index.summary()).toMatchObject({ posts: 0, position: null });
});
