import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ArchivePage } from '@archive/contracts';
import { until } from '@archive/tiers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type Collection, type Document, ObjectId, Timestamp } from 'mongodb';
import { PostsForIndex } from '../src/posts/posts-for-index.ts';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

const HOUR_MS = 3_600_000;
const TIMES = ['2026-01-02T00:00:00.000Z', '2026-01-01T00:00:00.000Z', '2026-01-03T00:00:00.000Z'];

/** Compares the index with the database, for any clock and any kind of write. */
const postsForIndex = ({ context }: TestApi) => new PostsForIndex(context.database.db, context.reactions.store);

describe('the index follows the truth', () => {
  let folder: string;
  let databaseName: string;
  let one: TestApi;
  let two: TestApi;
  let posts: Collection<Document>;

  const start = (name: string, overrides = {}) =>
    startTestApi({ overrides: { databaseName, indexPath: join(folder, `${name}.sqlite`), ...overrides } });

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'index-truth-'));
    databaseName = `test_${randomBytes(6).toString('hex')}`;
    one = await start('one');
    two = await start('two');
    posts = one.context.database.db.collection('posts');
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  afterAll(async () => {
    await two.close({ keepDatabase: true });
    await one.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('reads all posts for a build in either order of time, each once, in batches of any size', async () => {
    await one.add(...Array.from({ length: 7 }, (_, at) => newPost({ id: `order-${at}`, timestamp: TIMES[at % 3] })));
    const read = async (size: number, order: 'asc' | 'desc') => {
      const batches: string[][] = [];
      for await (const batch of postsForIndex(one).readAll(size, order)) {
        batches.push(batch.map(({ _id, timestamp }) => `${timestamp.toISOString()} ${_id}`));
      }
      expect(Math.max(...batches.map(({ length }) => length))).toBeLessThanOrEqual(size);
      return batches.flat();
    };
    const oldestFirst = await read(3, 'asc');
    expect(oldestFirst).toHaveLength(await posts.countDocuments());
    expect(oldestFirst).toEqual([...oldestFirst].sort());
    for (const size of [1, 7, 100]) expect(await read(size, 'desc')).toEqual([...oldestFirst].reverse());
  });

  const find = async (api: TestApi, search: string) =>
    ((await (await fetch(`${api.url}/amber/archives?search=${search}`)).json()) as ArchivePage).data;

  const shows = (api: TestApi, search: string) => until(async () => (await find(api, search)).length === 1);

  const differences = async (api: TestApi) =>
    (await api.context.posts.index.check(postsForIndex(api).walkLive())).differences;

  /** Inserts a post as another program would, with its own stamp. */
  async function put(content: string, changedAt: Timestamp): Promise<ObjectId> {
    const [template] = await posts.find({ content: { $exists: true } }).toArray();
    const _id = new ObjectId();
    const id = `put-${_id.toHexString()}`;
    await posts.insertOne({ ...template, _id, id, ids: [id], fingerprint: id, content, changedAt });
    return _id;
  }

  const stamp = (ms: number) => new Timestamp({ t: Math.floor((Date.now() + ms) / 1_000), i: 1 });

  it.each([
    ['an hour ahead', HOUR_MS],
    ['an hour behind', -HOUR_MS],
  ])('shows what a process changes whose clock is %s', async (name, ms) => {
    const word = `clock${name.replaceAll(' ', '')}`;
    const { now } = Date;
    jest.spyOn(Date, 'now').mockImplementation(() => now() + ms);
    await one.add(newPost({ id: word, content: word }));
    const post = await one.context.posts.store.find(word);
    await one.context.posts.store.setFeatured(post?._id as ObjectId, true);
    jest.restoreAllMocks();
    await until(async () => (await find(two, word))[0]?.featured === true);
    const kept = await posts.findOne({ id: word });
    expect(Math.abs(kept?.['changedAt'].getHighBits() * 1_000 - Date.now())).toBeLessThan(HOUR_MS / 2);
    expect(Math.abs(kept?.['featuredAt'].getTime() - Date.now())).toBeLessThan(HOUR_MS / 2);
  });

  it('is not blinded by a stamp that lies ahead, not after a restart either', async () => {
    await put('stamped ahead', stamp(HOUR_MS));
    await shows(two, 'stamped+ahead');
    await one.add(newPost({ id: 'after-ahead', content: 'the one after' }));
    await shows(two, 'the+one+after');
    await two.close({ keepDatabase: true });
    await one.add(newPost({ id: 'while-down', content: 'written while down' }));
    two = await start('two');
    await shows(two, 'written+while+down');
    await one.add(newPost({ id: 'after-start', content: 'after the start' }));
    await shows(two, 'after+the+start');
  });

  it('finds by comparing whatever no stamp tells of', async () => {
    const slow = await put('changed in silence', stamp(0));
    const gone = await put('about to be gone', stamp(0));
    await shows(one, 'changed+in+silence');
    await shows(one, 'about+to+be+gone');
    const third = await start('three', { walkPassMs: 1_000 });
    // The first comparison, of counts, ends before anything is wrong.
    await put('seen too late', stamp(-20_000));
    await posts.updateOne(
      { _id: slow },
      { $set: { content: 'words nobody stamped', featured: true, featuredAt: new Date() } },
    );
    await posts.deleteOne({ _id: gone });
    await shows(third, 'seen+too+late');
    await until(async () => (await find(third, 'words+nobody+stamped'))[0]?.featured === true);
    await until(async () => (await differences(third)).length === 0);
    expect(third.context.posts.follower.mended).toBeGreaterThanOrEqual(3);
    await third.close({ keepDatabase: true });
  });

  it('gives up a file that is torn while it is used, and builds it anew', async () => {
    const torn = await start('torn');
    const path = join(folder, 'torn.sqlite');
    const failure = torn.context.posts.index.failure.catch((error: Error) => error.message);
    const file = openSync(path, 'r+');
    const { size } = fstatSync(file);
    // All pages except the first, which the engine has cached.
    for (let at = 8_192; at < size; at += 8_192) writeSync(file, Buffer.alloc(8_192, 0x55), 0, 8_192, at);
    closeSync(file);
    // Recent writes are in the WAL beside the file. Only a question that reads the file itself meets the damage.
    const asking = until(
      async () => (await fetch(`${torn.url}/amber/archives?search=${randomBytes(3).toString('hex')}`)).status >= 500,
    );
    expect(await failure).toMatch(/damaged/);
    await asking.catch(() => {});
    // Its index is damaged, so the stop fails half-way.
    await torn.close({ keepDatabase: true }).catch(() => torn.context.database.close());
    const again = await start('torn');
    expect(await differences(again)).toEqual([]);
    await again.close({ keepDatabase: true });
  });

  describe('when a copy takes the place of the database', () => {
    let kept: Document[];
    let state: Document | null;

    beforeEach(async () => {
      kept = await posts.find().toArray();
      state = await one.context.database.db.collection('archive_state').findOne({});
      await one.add(newPost({ id: 'lost', content: 'lost with the crash' }));
      await one.add(newPost({ id: 'kept', content: 'kept in silence' }));
    });

    async function restore(): Promise<void> {
      await posts.deleteMany({});
      await posts.insertMany(kept);
    }

    it('notices an older one at the next start, and holds what that one holds', async () => {
      const fourth = await start('four');
      await shows(fourth, 'lost+with+the+crash');
      await fourth.close({ keepDatabase: true });
      await restore();
      await one.context.database.db.collection('archive_state').replaceOne({}, state as Document);
      // Two posts again, so that the counts stay equal.
      await put('another one', stamp(-HOUR_MS));
      await put('and another', stamp(-HOUR_MS));
      const again = await start('four');
      await until(async () => (await differences(again)).length === 0);
      expect(await find(again, 'lost+with')).toEqual([]);
      await again.close({ keepDatabase: true });
    });

    it('builds the index anew for another archive', async () => {
      const fifth = await start('five');
      await fifth.close({ keepDatabase: true });
      await one.context.database.db.collection('archive_state').deleteMany({});
      await restore();
      const again = await start('five', { walkPassMs: HOUR_MS });
      expect(await differences(again)).toEqual([]);
      await again.close({ keepDatabase: true });
    });
  });
});
