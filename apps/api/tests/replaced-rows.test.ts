import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Db, FindCursor, FindOptions, ObjectId } from 'mongodb';
import { restoreBackup } from '../src/backup/restore-backup.ts';
import { writeBackup } from '../src/backup/write-backup.ts';
import { type Database, openDatabase } from '../src/db/database.ts';
import type { Ledger } from '../src/ledger/ledger.ts';
import { PostsOfKey } from '../src/posts/posts-of-key.ts';
import { openRestoreTarget, type RestoreTarget } from './_restore-target.ts';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

const URI = process.env['MONGODB_URI'] as string;

describe('a backup while which something was taken away and came again', () => {
  let folder: string;
  let api: TestApi;
  let restoring: RestoreTarget;
  let target: Database;
  let ledger: Ledger;
  let audit: RestoreTarget['audit'];
  let serial = 0;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'replaced-'));
  });

  beforeEach(async () => {
    api = await startTestApi();
    restoring = await openRestoreTarget(folder);
    ({ target, ledger, audit } = restoring);
  });

  afterEach(async () => {
    await restoring.close();
    await api.close();
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const post = async (id: string) => (await api.context.posts.store.find(id))?._id as ObjectId;
  const kept = (name: string, filter: object) => target.db.collection(name).find(filter).sort({ _id: 1 }).toArray();

  /** Makes a backup with a change between the first and the second batch of a collection, then restores it. */
  async function backUpAmid(name: string, change: () => Promise<unknown>) {
    const { database } = api.context;
    const file = join(folder, `backup-${++serial}`);
    const amid = changedBetweenBatches(database.db, name, change);
    await writeBackup(database, file);
    amid.mockRestore();
    const nothing = { entries: [], files: [], torn: [], mayLack: true };
    const { replaced } = await restoreBackup({ database: target, ledger, audit }, file, nothing);
    await (await openDatabase(URI, target.db.databaseName)).close();
    return replaced;
  }

  it('keeps one row of a reaction that was taken back and given again', async () => {
    await api.add(newPost({ id: 'liked' }));
    const _id = await post('liked');
    const { store } = api.context.reactions;
    const heart = (wallet: string, isOn = true) =>
      store.set([{ post: _id, wallet, type: 'heart', isOn, at: new Date() }]);
    for (const wallet of ['a', 'b', 'c', 'd', 'e']) await heart(wallet);
    const replaced = await backUpAmid('reactions', async () => {
      await heart('a', false);
      await heart('a');
    });
    expect(replaced).toEqual({ reactions: 1 });
    const again = await api.context.database.db.collection('reactions').findOne({ wallet: 'a' });
    expect(await kept('reactions', { wallet: 'a' })).toEqual([again]);
    expect(await kept('reactions', {})).toHaveLength(5);
  });

  it('keeps the newer of a post that was undone and sent again', async () => {
    const sent = newPost({ id: 'sent-again', content: 'planted or not' });
    await api.add(sent, newPost(), newPost(), newPost());
    const undone = await post('sent-again');
    const replaced = await backUpAmid('posts', async () => {
      await api.context.posts.store.remove(undone, { isRefused: false });
      await api.add(sent);
    });
    expect(replaced).toEqual({ posts: 1 });
    const newer = await post('sent-again');
    expect(await kept('posts', { ids: 'sent-again' })).toMatchObject([{ _id: newer, content: 'planted or not' }]);
    const own = undone.toHexString();
    expect(await kept('posts', { _id: undone })).toEqual([
      {
        _id: undone,
        ids: [own],
        fingerprint: own,
        removedAt: expect.any(Date),
        emptied: false,
        changedAt: expect.anything(),
      },
    ]);
    expect(await kept('posts', {})).toHaveLength(5);
  });

  it('takes an id from a post that had it as another of its own, where it names a newer one by now', async () => {
    await api.add(newPost({ id: 'own', content: 'the same words' }), newPost(), newPost(), newPost());
    const _id = await post('own');
    const url = 'https://x.com/adabyron/status/2';
    for (const [id, savedBy] of [['handed-on', 'leaked'] as const, ['stays', 'honest'] as const])
      await api.context.posts.store.addAlias(_id, { id, url, at: new Date(), savedBy });
    const replaced = await backUpAmid('posts', async () => {
      await new PostsOfKey(api.context.database.db, 'leaked', api.context.ledger).dropAliases();
      await api.add(newPost({ id: 'handed-on' }));
    });
    expect(replaced).toEqual({ posts: 1 });
    expect(await kept('posts', { ids: 'handed-on' })).toMatchObject([{ _id: await post('handed-on') }]);
    expect(await kept('posts', { _id })).toMatchObject([
      { ids: ['own', 'stays'], content: 'the same words', aliases: [{ id: 'stays' }] },
    ]);
  });

  it('keeps the later of two launches of one token', async () => {
    const launches = api.context.database.db.collection<{ _id: string; mint: string }>('launches');
    await launches.insertMany(['a', 'b', 'c'].map((_id) => ({ _id, mint: `mint of ${_id}` })));
    const replaced = await backUpAmid('launches', async () => {
      await launches.updateOne({ _id: 'a' }, { $set: { mint: 'mint of its next attempt' } });
      await launches.insertOne({ _id: 'd', mint: 'mint of a' });
    });
    expect(replaced).toEqual({ launches: 1 });
    expect((await kept('launches', {})).map(({ _id }) => _id)).toEqual(['b', 'c', 'd']);
  });
});

/** Applies the change when the driver asks for the next batch. */
function changedBetweenBatches(db: Db, name: string, change: () => Promise<unknown>) {
  const collection = db.collection.bind(db);
  return jest.spyOn(db, 'collection').mockImplementation((asked: string) => {
    const real = collection(asked);
    if (asked !== name) return real;
    const find = real.find.bind(real);
    jest.spyOn(real, 'find').mockImplementation((filter: object = {}, options: FindOptions = {}) => {
      if (!options.raw) return find(filter, options) as FindCursor<never>;
      const cursor = find(filter, { ...options, batchSize: 2 });
      async function* read(): AsyncGenerator<unknown> {
        let done = 0;
        for await (const document of cursor) {
          yield document;
          if (++done === 2) await change();
        }
      }
      return { sort: (order: { _id: 1 }) => cursor.sort(order) && read() } as unknown as FindCursor<never>;
    });
    return real;
  });
}
