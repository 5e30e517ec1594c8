import { call, TestWallet } from '@archive/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PostDocument } from '../src/posts/post-document.ts';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

describe('removals by operators', () => {
  let api: TestApi;
  let token: string;
  const admin = new TestWallet();

  beforeAll(async () => {
    api = await startTestApi({ env: { ADMIN_WALLETS: admin.address, RATE_LIMITS: 'off' } });
    token = (await admin.signIn(api)).token;
  });

  afterAll(() => api.close());

  const preview = async (selection: object) =>
    (await call(api, 'POST', '/amber/admin/removals/preview', token, { selection })).body;
  const statusOf = async (id: string) => (await call(api, 'GET', `/amber/archives/${id}`)).status;
  const ended = async ({ _id }: { _id: string }) => {
    for (;;) {
      const { body } = await call(api, 'GET', `/amber/admin/removals/${_id}`, token);
      if (body.state === 'done') return body;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  /** The final answer. On a busy machine the first answer only says that the removal has begun. */
  const remove = async (selection: object, count: number, more: object = {}) => {
    const answer = await call(api, 'POST', '/amber/admin/removals', token, { selection, count, ...more });
    return answer.status === 202 ? { status: 200, body: await ended(answer.body) } : answer;
  };

  it('shows first, takes the count as consent, and refuses the same afterwards', async () => {
    await api.add(newPost({ id: 'list-1' }), newPost({ id: 'list-2' }), newPost({ id: 'stays' }));
    const selection = { posts: ['list-1', 'list-2', 'never-was'] };
    const shown = await preview(selection);
    expect([shown.count, shown.sample.length]).toEqual([2, 2]);
    const refused = await remove(selection, 3);
    expect([refused.status, refused.body.code]).toEqual([409, 'selection_changed']);
    expect(await statusOf('list-1')).toBe(200);
    const done = await remove(selection, 2, { reason: 'asked by the author' });
    expect([done.status, done.body]).toEqual([200, expect.objectContaining({ state: 'done', total: 2, done: 2 })]);
    expect([await statusOf('list-1'), await statusOf('list-2'), await statusOf('stays')]).toEqual([410, 410, 200]);
    const { body } = await call(api, 'GET', '/amber/admin/log?act=remove+posts', token);
    expect(body.data[0]).toMatchObject({ before: { posts: 2 }, reason: 'asked by the author' });
    expect(JSON.stringify(body)).not.toMatch(/post number/);
  });

  it('shows how many there are, on how many of them money or a token hangs, and the latest of them in a few words', async () => {
    const ids = Array.from({ length: 7 }, (_, at) => `seen-${at}`);
    const words = (at: number) => `${at} ${'ö'.repeat(at % 2 ? 58 : 59)}`;
    for (const [at, id] of ids.entries())
      await api.add(newPost({ id, authorUsername: 'seen', content: `${words(at)}${at === 6 ? '\n\n  more' : ''}` }));
    const { sealed, store } = api.context.posts;
    const [first, second, third, fourth] = (await store.findEach(ids)) as PostDocument[];
    await store.featureForPayment(first?._id as never, { by: 'a payment', payee: 'a wallet' });
    await store.setFeatured(second?._id as never, true);
    await store.setLaunched(third?._id as never, true);
    await sealed.seal(fourth as PostDocument, 'x', 'deleted', new Date());
    const posts = api.context.database.db.collection('posts');
    for (const [at, id] of ids.entries()) await posts.updateOne({ ids: id }, { $set: { createdAt: new Date(at) } });
    const shown = await preview({ author: 'seen' });
    expect(shown).toMatchObject({ count: 7, aliases: 0, featured: 1, launched: 1 });
    expect(shown.sample.map(({ id, content }: { id: string; content: string }) => [id, content])).toEqual([
      ['seen-6', `${words(6).slice(0, 60)}…`],
      ['seen-5', words(5)],
      ['seen-4', `${words(4).slice(0, 60)}…`],
      ['seen-2', `${words(2).slice(0, 60)}…`],
      ['seen-1', words(1)],
    ]);
    await remove({ author: 'seen' }, 7);
    const { body } = await call(api, 'GET', '/amber/admin/log?act=end+removal', token);
    expect(body.data[0]).toMatchObject({ subject: { kind: 'author', id: 'seen' }, after: { posts: 7, pinned: [] } });
  });

  it('takes all of an author, by handle in any case or by id, and nobody else’s whose handle begins the same', async () => {
    await api.add(
      newPost({ id: 'by-1', authorUsername: 'Gone.Author' }),
      newPost({ id: 'by-2', authorUsername: 'gone.author' }),
      newPost({ id: 'by-3', authorUsername: 'goneXauthor' }),
      newPost({ id: 'by-4', authorUsername: 'gone.author2' }),
    );
    expect((await preview({ author: '@gone.author' })).count).toBe(2);
    expect((await remove({ author: 'GONE.author' }, 2)).body.done).toBe(2);
    expect([await statusOf('by-2'), await statusOf('by-3'), await statusOf('by-4')]).toEqual([410, 200, 200]);
    expect((await preview({ author: '.*' })).count).toBe(0);
  });

  it('takes of an id that is another’s handle the posts of the id alone, and of the handle by its @', async () => {
    await api.add(
      newPost({ id: 'of-id', authorUsername: 'a-victim' }),
      newPost({ id: 'of-handle', authorUsername: '4711' }),
    );
    const posts = api.context.database.db.collection('posts');
    await posts.updateOne({ ids: 'of-id' }, { $set: { authorId: '4711' } });
    expect((await preview({ author: '4711' })).sample).toMatchObject([{ id: 'of-id' }]);
    expect((await preview({ author: '@4711' })).sample).toMatchObject([{ id: 'of-handle' }]);
    await remove({ author: '@4711' }, 1);
    expect([await statusOf('of-id'), await statusOf('of-handle')]).toEqual([200, 410]);
  });

  it('takes also what is saved while it runs, and what its author brings back', async () => {
    await api.add(
      newPost({ id: 'early', authorUsername: 'busy' }),
      newPost({ id: 'kept-aside', authorUsername: 'busy' }),
    );
    const { posts, removals } = api.context;
    const aside = (await posts.store.find('kept-aside')) as PostDocument;
    await posts.sealed.seal(aside, 'bluesky', 'deleted', new Date());
    const removeEarly = posts.store.remove.bind(posts.store);
    posts.store.remove = async (...given) => {
      posts.store.remove = removeEarly;
      await api.add(newPost({ id: 'late', authorUsername: 'busy' }));
      return removeEarly(...given);
    };
    const removeSealed = posts.sealed.remove.bind(posts.sealed);
    posts.sealed.remove = async (post) => {
      posts.sealed.remove = removeSealed;
      await posts.sealed.unseal(post._id, new Date());
      return removeSealed(post);
    };
    await remove({ author: 'busy' }, 2);
    expect([await statusOf('early'), await statusOf('late'), await statusOf('kept-aside')]).toEqual([410, 410, 410]);
    expect(await removals.selected.summarise({ author: 'busy' }, 1)).toMatchObject({ posts: 0 });
  });

  it('undoes what a key saved, so that the same may be sent again', async () => {
    const { id, key } = await api.context.accounts.agentKeys.create('leaked');
    const planted = [newPost({ id: 'planted-1' }), newPost({ id: 'planted-2' })];
    for (const post of planted) await call(api, 'POST', '/amber/archives', key, post);
    expect((await preview({ key: id })).count).toBe(2);
    const wrong = await call(api, 'POST', '/amber/admin/removals', token, {
      selection: { posts: ['planted-1'] },
      count: 1,
      isRefused: false,
    });
    expect(wrong.status).toBe(400);
    expect((await remove({ key: id }, 2, { isRefused: false })).body.done).toBe(2);
    expect((await call(api, 'POST', '/amber/archives', key, planted[0])).body.created).toBe(1);
    expect((await remove({ key: id }, 1)).body.done).toBe(1);
    expect((await call(api, 'POST', '/amber/archives', key, planted[0])).body.created).toBe(0);
  });

  it('takes what came with the requests of an asker, and not what was there before', async () => {
    const asker = new TestWallet().address;
    await api.add(newPost({ id: 'before' }), newPost({ id: 'sent-in' }));
    const before = await api.context.posts.store.find('before');
    const sentIn = await api.context.posts.store.find('sent-in');
    const { db } = api.context.database;
    const at = new Date(Date.now() + 1);
    await api.add(newPost({ id: 'came' }));
    const origin = { savedBy: { via: 'save' } };
    await db.collection('posts').updateMany({ ids: { $in: ['came', 'before'] } }, { $set: { origin } });
    const post = await api.context.posts.store.find('came');
    const later = { createdAt: new Date(at.getTime() + 1) };
    await db.collection('posts').updateMany({ ids: { $in: ['came', 'sent-in'] } }, { $set: later });
    for (const archiveId of [before?._id, sentIn?._id, post?._id])
      await db
        .collection('saves')
        .insertOne({ key: String(archiveId), archiveId, createdAt: at, askedBy: { kind: 'wallet', id: asker } });
    expect((await preview({ asker })).count).toBe(1);
    expect((await remove({ asker }, 1)).body.done).toBe(1);
    expect(await Promise.all(['before', 'sent-in', 'came'].map(statusOf))).toEqual([200, 200, 410]);
  });

  it('goes on with what a process left half-way', async () => {
    await api.add(...Array.from({ length: 300 }, (_, at) => newPost({ id: `many-${at}`, authorUsername: 'many' })));
    const { removals } = api.context;
    const begun = await removals.store.begin({
      selection: { author: 'many' },
      isRefused: true,
      actor: { kind: 'command line' },
      total: 300,
    });
    expect(await removals.store.resume()).toBeNull();
    await api.context.database.db
      .collection('removals')
      .updateOne({ _id: begun._id }, { $set: { leaseUntil: new Date(0) } });
    const left = await removals.store.resume();
    expect(left?._id).toEqual(begun._id);
    await removals.run(begun);
    expect(await ended({ _id: begun._id.toHexString() })).toMatchObject({ total: 300, done: 300 });
    expect(await statusOf('many-299')).toBe(410);
  });

  it('takes one way of naming posts, and no other', async () => {
    for (const selection of [
      {},
      { author: 'a', key: 'b' },
      { posts: [] },
      { posts: Array(1_001).fill('a') },
      { author: '' },
    ])
      expect((await call(api, 'POST', '/amber/admin/removals/preview', token, { selection })).status).toBe(400);
    expect((await call(api, 'GET', '/amber/admin/removals/nothing', token)).status).toBe(404);
  });
});
