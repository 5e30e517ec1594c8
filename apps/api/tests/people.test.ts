import {
  COLLECTION_NAME_LENGTH,
  COLLECTION_POSTS,
  COLLECTIONS,
  NEW_POSTS_COUNTED,
  type Notice,
  SAVED_SEARCHES,
  type SavedSearch,
} from '@archive/contracts';
import { TestWallet } from '@archive/testing';
import { aPicture } from '@archive/testing/media';
import { until } from '@archive/tiers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseFeed } from '@rowanmanning/feed-parser';
import { ObjectId } from 'mongodb';
import request from 'supertest';
import { clientOf } from '../src/clients.ts';
import { ensureIndexes } from '../src/db/indexes.ts';
import { emptyRemoved } from '../src/saves/retry-media.ts';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

describe('what people keep for themselves', () => {
  let api: TestApi;
  let ann: string;
  let ben: string;
  let annAddress: string;

  beforeAll(async () => {
    api = await startTestApi({ env: { RATE_LIMITS: 'off' } });
    await api.add(
      newPost({ id: 'ferry-1', content: 'the night ferry leaves' }),
      newPost({ id: 'tea', content: 'tea' }),
    );
    const wallets = [new TestWallet(), new TestWallet()] as const;
    annAddress = wallets[0].address;
    ann = (await wallets[0].signIn(api)).token;
    ben = (await wallets[1].signIn(api)).token;
  });

  afterAll(() => api?.close());

  type Method = 'get' | 'post' | 'put' | 'delete';
  const call = (method: Method, path: string, token: string | null, body?: object) => {
    const one = request(api.app)[method](`/amber${path}`);
    if (token) one.set('Authorization', `Bearer ${token}`);
    return body ? one.send(body) : one;
  };
  const save = (query: string, name?: string) => call('post', '/searches', ann, { query, ...(name && { name }) });
  const searches = async (token = ann) => (await call('get', '/searches', token)).body.data as SavedSearch[];
  const notices = async (token = ann) =>
    (await call('get', '/notices', token)).body as { data: Notice[]; unread: number };

  describe('a saved search', () => {
    it('tells once how many posts have come since it was last seen', async () => {
      const saved = (await save('sortBy=author&search=ferry&page=3', 'Night ferry')).body as SavedSearch;
      expect(saved).toMatchObject({ name: 'Night ferry', query: 'search=ferry', newPosts: 0 });
      await api.add(newPost({ id: 'ferry-2', content: 'a ferry comes' }), newPost({ id: 'bus', content: 'a bus' }));
      expect(await searches()).toMatchObject([{ newPosts: 1 }]);
      const { data, unread } = await notices();
      expect(unread).toBe(1);
      expect(data).toMatchObject([{ kind: 'search', isNew: true, search: { name: 'Night ferry', newPosts: 1 } }]);
      expect((await notices()).data).toEqual(data);
      expect((await call('put', '/notices/read', ann)).status).toBe(204);
      expect(await notices()).toMatchObject({ unread: 0, data: [{ isNew: false }] });
      await api.add(newPost({ id: 'ferry-3', content: 'another ferry' }));
      expect(await notices()).toMatchObject({ unread: 1, data: [{ isNew: true, search: { newPosts: 2 } }] });
      const seen = await call('put', `/searches/${saved._id}`, ann, { seen: true });
      expect(seen.body).toMatchObject({ newPosts: 0 });
      expect(await notices()).toEqual({ data: [], unread: 0 });
    });

    it('is one however often it is saved, and somebody else’s is nobody’s', async () => {
      const again = await save('search=ferry');
      expect([again.status, again.body.name]).toEqual([200, 'Night ferry']);
      expect(await searches()).toHaveLength(1);
      expect(await searches(ben)).toEqual([]);
      const path = `/searches/${again.body._id}`;
      for (const change of [{ name: 'mine' }, {}]) expect((await call('put', path, ben, change)).status).toBe(404);
      expect((await call('delete', path, ben)).status).toBe(204);
      expect((await call('put', '/searches/nothing', ann, { seen: true })).status).toBe(404);
      expect((await call('get', '/searches', null)).status).toBe(401);
      expect(await searches()).toHaveLength(1);
    });

    it('is refused where it asks for nothing, or for what cannot be', async () => {
      for (const query of ['', 'sortBy=author', 'category=poetry', 'search=a&search=b', 'startDate=2026-02-30']) {
        const { status, body } = await save(query);
        expect([query, status]).toEqual([query, 400]);
        expect(body.errors).toHaveLength(1);
      }
      expect((await save(`search=${'x'.repeat(3_000)}`)).status).toBe(400);
      expect((await save('search=a', 'n'.repeat(COLLECTION_NAME_LENGTH + 1))).status).toBe(400);
    });

    it('keeps quiet where its owner wants no notices', async () => {
      await api.add(newPost({ id: 'ferry-4', content: 'one more ferry' }));
      await call('put', '/auth/preferences', ann, { notifications: false });
      expect(await notices()).toEqual({ data: [], unread: 0 });
      await call('put', '/auth/preferences', ann, { notifications: true });
      expect((await notices()).unread).toBe(1);
    });

    it('is listed with the newest first, renamed, and counts so many posts and one more', async () => {
      const { body: first } = await save('search=barge', 'Barges');
      const { body: second } = await save('search=raft');
      expect([first.newPosts, second.name]).toEqual([0, 'raft']);
      const posts = Array.from({ length: NEW_POSTS_COUNTED + 5 }, (_, at) => ({ content: `barge number ${at}` }));
      await api.add(...posts.slice(0, NEW_POSTS_COUNTED).map(newPost));
      const listed = async () => (await searches()).map(({ name, newPosts }) => [name, newPosts]);
      expect((await listed()).slice(0, 2)).toEqual([
        ['raft', 0],
        ['Barges', NEW_POSTS_COUNTED],
      ]);
      await api.add(...posts.slice(NEW_POSTS_COUNTED).map(newPost));
      const renamed = await call('put', `/searches/${first._id}`, ann, { name: 'Boats' });
      // Renaming a search does not mark its posts as seen.
      expect(renamed.body).toMatchObject({ name: 'Boats', newPosts: NEW_POSTS_COUNTED + 1, seenAt: first.seenAt });
      for (const { _id } of [first, second]) await call('delete', `/searches/${_id}`, ann);
      expect(await searches()).toHaveLength(1);
    });

    it('does not come ten thousand times, however many are sent at once', async () => {
      const many = await Promise.all(
        Array.from({ length: SAVED_SEARCHES + 30 }, (_, at) => save(`search=number${at}`)),
      );
      // A busy database refuses some calls.
      expect(many.filter(({ status }) => ![201, 409, 503].includes(status))).toEqual([]);
      let last = 201;
      for (let at = 0; last === 201; at++) last = (await save(`search=more${at}`)).status;
      expect(last).toBe(409);
      expect((await searches()).length).toBeLessThanOrEqual(SAVED_SEARCHES);
      for (const { _id, query } of await searches()) {
        if (query !== 'search=ferry') await call('delete', `/searches/${_id}`, ann);
      }
      expect(await searches()).toHaveLength(1);
    });
  });

  it('a request to save that has ended is told, and one that failed with its reason', async () => {
    const before = (await notices()).data.length;
    const _id = await api.context.posts.store.find('tea').then((post) => post?._id ?? null);
    const at = api.context.posts.store.now();
    const common = { platform: 'x', link: 'https://x.com/a/status/1', target: null, wantsThread: false } as const;
    const asked = { askedBy: { kind: 'wallet', id: annAddress }, via: 'save', reply: 'none' } as const;
    const times = { createdAt: at, dueAt: at, endsAt: new Date(at.getTime() + 60_000) };
    const { store } = api.context.saves;
    for (const key of ['one', 'two'])
      await store.add([{ ...common, ...asked, ...times, key, state: 'received', reason: null, archiveId: null }]);
    const first = await store.claim(['x']);
    const second = await store.claim(['x']);
    if (!first || !second) throw new Error('nothing to claim');
    await store.move(first, { state: 'answered', archiveId: _id });
    await store.move(second, { state: 'failed', reason: 'not_found' });
    const { data } = await notices();
    const told = data.filter(({ kind }) => kind === 'save');
    expect(data.length - before).toBe(2);
    expect(told.map(({ post, reason }) => [post?.content ?? null, reason])).toEqual(
      expect.arrayContaining([
        ['tea', null],
        [null, 'not_found'],
      ]),
    );
    expect((await notices(ben)).data).toEqual([]);
  });

  describe('a collection', () => {
    const make = async (body: object = { name: 'Lost and found' }, token = ann) =>
      (await call('post', '/collections', token, body)).body as { _id: string };
    const read = (id: string, token: string | null = ann) => call('get', `/collections/${id}`, token);

    it('is its owner’s alone until it is opened, and then whoever has its link reads it', async () => {
      const { _id } = await make();
      await call('put', `/collections/${_id}/posts/ferry-1`, ann);
      await call('put', `/collections/${_id}/posts/tea`, ann);
      await call('put', `/collections/${_id}/posts/tea`, ann);
      expect((await read(_id)).body).toMatchObject({ collection: { isOwn: true, posts: 2 }, pagination: { total: 2 } });
      for (const token of [ben, null]) {
        expect((await read(_id, token)).status).toBe(404);
        expect((await call('get', `/collections/${_id}/export`, token)).status).toBe(404);
      }
      for (const [method, path] of [
        ['put', `/collections/${_id}`],
        ['put', `/collections/${_id}/posts/bus`],
        ['delete', `/collections/${_id}/posts/tea`],
      ] as const)
        expect((await call(method, path, ben, { name: 'mine' })).status).toBe(404);
      await call('put', `/collections/${_id}`, ann, { isPublic: true });
      const open = await read(_id, ben);
      expect(open.body.collection).toMatchObject({ isOwn: false, isPublic: true, name: 'Lost and found' });
      expect(open.body.data.map(({ id }: { id: string }) => id)).toEqual(['tea', 'ferry-1']);
      expect((await call('put', `/collections/${_id}/posts/bus`, ben)).status).toBe(404);
      expect((await call('delete', `/collections/${_id}/posts/tea`, ben)).status).toBe(404);
      expect((await call('put', `/collections/${_id}`, ben, { name: 'mine' })).status).toBe(404);
      expect((await read(_id)).body).toMatchObject({
        collection: { name: 'Lost and found' },
        pagination: { total: 2 },
      });
      expect((await call('delete', `/collections/${_id}`, ben)).status).toBe(204);
      const { text } = await call('get', `/collections/${_id}/export?format=ndjson`, null);
      expect(text.trim().split('\n')).toHaveLength(2);
      await call('delete', `/collections/${_id}/posts/tea`, ann);
      expect((await read(_id)).body.pagination.total).toBe(1);
    });

    it('is exported to others in no place that is kept for people’s own data', async () => {
      const { _id } = await make({ name: 'Exported', isPublic: true });
      const statusFor = async (token: string | null) =>
        (await call('get', `/collections/${_id}/export?format=ndjson`, token)).status;
      const own = api.context.posts.exports.of('own', { client: clientOf('127.0.0.1') });
      // While another export of the same network is running.
      await own(
        async function* () {},
        async () => {
          expect([await statusFor(ann), await statusFor(ben), await statusFor(null)]).toEqual([429, 200, 200]);
        },
      );
      expect(await statusFor(ann)).toBe(200);
    });

    it('shows nothing of a post that is removed, and counts it no longer', async () => {
      const { _id } = await make({ name: 'Gone' });
      await api.add(newPost({ id: 'gone', content: 'soon gone' }));
      await call('put', `/collections/${_id}/posts/gone`, ann);
      const post = await api.context.posts.store.find('gone');
      if (post) await api.context.posts.store.remove(post._id);
      expect((await read(_id)).body.data).toEqual([]);
      await emptyRemoved({ ...api.context, captures: api.context.saves.captures });
      const { data } = (await call('get', '/collections', ann)).body as { data: { _id: string }[] };
      expect(data.find((one) => one._id === _id)).toMatchObject({ posts: 0, cover: [] });
      expect((await read(_id)).body).toMatchObject({ data: [], pagination: { total: 0 }, collection: { posts: 0 } });
      expect((await call('put', `/collections/${_id}/posts/gone`, ann)).status).toBe(410);
      expect((await call('put', `/collections/${_id}/posts/nobody`, ann)).status).toBe(404);
    });

    it('loses what was removed under the version before, which emptied posts and left their rows', async () => {
      const { database, posts, saves } = api.context;
      const { _id } = await make({ name: 'Left' });
      await api.add(newPost({ id: 'left', content: 'soon left' }));
      await call('put', `/collections/${_id}/posts/left`, ann);
      const post = await posts.store.find('left');
      if (post) await posts.store.remove(post._id);
      if (post) await posts.arrived.markEmptied(post._id);
      await database.db.collection('collection_posts').dropIndex('post');
      await ensureIndexes(database.db);
      await emptyRemoved({ ...api.context, captures: saves.captures });
      expect((await read(_id)).body.pagination.total).toBe(0);
    });

    it('has the pictures of its latest posts on its cover, but for those that are covered', async () => {
      const kept = await api.context.media.keep(await aPicture());
      const sha256 = 'sha256' in kept ? kept.sha256 : '';
      const { _id } = await make({ name: 'Pictures' });
      for (const [id, sensitive] of [
        ['shown', false],
        ['covered', true],
      ] as const) {
        await api.add(newPost({ id, sensitive }));
        const post = await api.context.posts.store.find(id);
        const media = [{ type: 'image' as const, key: id, sha256, alt: null }];
        if (post) await api.context.posts.arrived.setMedia(post._id, media as never, null);
        await call('put', `/collections/${_id}/posts/${id}`, ann);
      }
      expect((await read(_id)).body.collection.cover).toEqual([`/media/${sha256}/preview`]);
    });

    it('has a feed while it is open, latest first, and none that tells of a closed one', async () => {
      const { _id } = await make({ name: 'Night & <fog>', isPublic: true });
      for (const id of ['ferry-1', 'tea']) await call('put', `/collections/${_id}/posts/${id}`, ann);
      const feed = (format: string, query = `collection=${_id}`) => request(api.app).get(`/feed.${format}?${query}`);
      const { body } = await feed('json');
      expect(body).toMatchObject({
        title: 'Night & <fog>, Amber',
        home_page_url: expect.stringContaining(`/collection/${_id}`),
      });
      expect(body.items.map((item: { content_text: string }) => item.content_text)).toEqual([
        'tea',
        'the night ferry leaves',
      ]);
      for (const format of ['atom', 'rss']) {
        const { status, text } = await feed(format);
        expect([status, parseFeed(text).title]).toEqual([200, 'Night & <fog>, Amber']);
      }
      await call('put', `/collections/${_id}`, ann, { isPublic: false });
      // Answers are cached for a second.
      await until(async () => (await feed('json')).status === 404 || null);
      expect((await feed('json')).text).not.toContain('fog');
      for (const query of [`collection=${'0'.repeat(24)}`, `collection=${'f'.repeat(24)}`])
        expect((await feed('atom', query)).status).toBe(404);
      for (const query of ['collection=x', `collection=${_id}&category=tech`, `collection=${_id}&collection=${_id}`])
        expect((await feed('atom', query)).status).toBe(400);
    });

    it('comes first in the list of its owner when it was changed last, in whichever way', async () => {
      const names = ['one', 'two', 'three', 'four'];
      const ids = new Map<string, string>();
      for (const name of names) ids.set(name, (await make({ name: `order ${name}` }))._id);
      const listed = async () => {
        const { data } = (await call('get', '/collections', ann)).body as { data: { name: string }[] };
        return data.flatMap(({ name }) => (name.startsWith('order ') ? [name.slice('order '.length)] : []));
      };
      expect(await listed()).toEqual(['four', 'three', 'two', 'one']);
      const path = (name: string) => `/collections/${ids.get(name)}`;
      for (const [name, change] of [
        ['two', () => call('put', `${path('two')}/posts/tea`, ann)],
        ['four', () => call('put', path('four'), ann, { isPublic: true })],
        ['one', () => call('put', path('one'), ann, { name: 'order one' })],
        ['two', () => call('delete', `${path('two')}/posts/tea`, ann)],
      ] as const) {
        expect((await change()).status).toBeLessThan(300);
        expect((await listed())[0]).toBe(name);
      }
      expect((await read(ids.get('four') as string)).body.collection).toMatchObject({
        isPublic: true,
        name: 'order four',
      });
      for (const name of names) await call('delete', path(name), ann);
      expect(await listed()).toEqual([]);
      expect((await read(ids.get('one') as string)).status).toBe(404);
    });

    it('holds so many posts and no more, and is read in pages of those put in last first', async () => {
      const { _id } = await make({ name: 'Full' });
      const rows = api.context.database.db.collection('collection_posts');
      const collection = new ObjectId(_id);
      await call('put', `/collections/${_id}/posts/tea`, ann);
      const many = Array.from({ length: COLLECTION_POSTS - 2 }, () => ({
        collection,
        post: new ObjectId(),
        at: new Date(0),
      }));
      await rows.insertMany(many);
      const put = async (id: string) => (await call('put', `/collections/${_id}/posts/${id}`, ann)).status;
      expect([await put('bus'), await put('ferry-1'), await put('bus'), await put('tea')]).toEqual([
        204, 409, 204, 204,
      ]);
      expect(await rows.countDocuments({ collection })).toBe(COLLECTION_POSTS);
      await rows.deleteMany({ collection, at: new Date(0) });
      await put('ferry-1');
      const page = async (at: number) => {
        const { data, pagination } = (await call('get', `/collections/${_id}?limit=2&page=${at}`, ann)).body;
        return [data.map(({ id }: { id: string }) => id), pagination];
      };
      const pagination = { limit: 2, total: 3, pages: 2 };
      expect(await page(1)).toEqual([['ferry-1', 'bus'], { page: 1, ...pagination }]);
      expect(await page(2)).toEqual([['tea'], { page: 2, ...pagination }]);
      await call('delete', `/collections/${_id}`, ann);
      expect(await rows.countDocuments({ collection })).toBe(0);
    });

    it('has a name, and there are not without end of them', async () => {
      for (const name of ['', ' \n ', 'n'.repeat(COLLECTION_NAME_LENGTH + 1), '\ud800', 7])
        expect((await call('post', '/collections', ann, { name })).status).toBe(400);
      const { body } = await call('post', '/collections', ann, { name: ' two\nlines\u0000 ' });
      expect(body.name).toBe('two lines');
      const many = await Promise.all(
        Array.from({ length: COLLECTIONS + 10 }, () => call('post', '/collections', ben, { name: 'again' })),
      );
      // A busy database refuses some calls.
      expect(many.filter(({ status }) => ![201, 409, 503].includes(status))).toEqual([]);
      let last = 201;
      while (last === 201) last = (await call('post', '/collections', ben, { name: 'again' })).status;
      expect(last).toBe(409);
      const { data } = (await call('get', '/collections', ben)).body;
      expect(data.length).toBeLessThanOrEqual(COLLECTIONS);
    });
  });
});
