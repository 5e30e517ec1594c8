import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ObjectId } from 'mongodb';
import type { PostDocument } from '../src/posts/post-document.ts';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api.close());

it('every change of a post is announced once, and this process shows it by the time the writer is done', async () => {
  const { add, context, url } = api;
  const { changes, store } = context.posts;
  const announced: string[] = [];
  changes.listen(({ kind, ids }) => void announced.push(`${kind} ${ids.length}`));
  const post = newPost();
  await add(post, newPost());
  await add({ ...post, id: 'sent-again' });
  await add(post);
  const id = (await store.find('sent-again'))?._id as ObjectId;
  await store.setFeatured(id, true);
  const listing = async () => (await fetch(`${url}/amber/archives`)).json();
  expect(await listing()).toMatchObject({ featured: { _id: id.toHexString() }, pagination: { total: 2 } });
  await store.setFeatured(id, false);
  const paid = { by: 'a payment', payee: 'a wallet' };
  await store.featureForPayment(id, paid);
  expect(await listing()).toMatchObject({ featured: { _id: id.toHexString(), payee: 'a wallet' } });
  await store.unfeatureForPayment(id, paid.by);
  await store.unfeatureForPayment(id, paid.by);
  await store.setLaunched(id, true);
  await store.remove(id);
  await store.remove(id);
  expect(await listing()).toMatchObject({ featured: null, pagination: { total: 1 } });
  expect(announced).toEqual(['added 2', 'alias 1', ...Array(4).fill('featured 1'), 'launched 1', 'removed 1']);
});

it('every change of a post is stamped and announced, so that this process, others and mirrors hear of it', async () => {
  const { add, context } = api;
  const { arrived, changes, sealed, store } = context.posts;
  await add(newPost({ id: 'changing' }));
  const read = async () => (await store.find('changing')) as PostDocument;
  const { _id: id } = await read();
  const paid = { by: 'a payment', payee: 'a wallet' };
  const source = { state: 'live' as const, checkedAt: new Date(0) };
  const aside = async () => (await sealed.find(id)) as PostDocument;
  const kinds: string[] = [];
  changes.listen(
    ({ kind, ids }) => void kinds.push(...ids.map((one) => `${kind}${one.equals(id) ? '' : ' of another'}`)),
  );
  const all: [name: string, kind: string, change: () => Promise<unknown>][] = [
    ['category', 'filled', () => store.setCategory(id, 'news')],
    ['featured', 'featured', () => store.setFeatured(id, true)],
    ['featured no more', 'featured', () => store.setFeatured(id, false)],
    ['paid for', 'featured', () => store.featureForPayment(id, paid)],
    ['paid for no more', 'featured', () => store.unfeatureForPayment(id, paid.by)],
    ['launched', 'launched', () => store.setLaunched(id, true)],
    ['launched no more', 'launched', () => store.setLaunched(id, false)],
    [
      'reaction',
      'reactions',
      () =>
        context.reactions.changes.ask({
          walletAddress: 'w',
          reactionType: 'heart',
          change: 'add',
          id: id.toHexString(),
        }),
    ],
    ['filled by its platform', 'filled', async () => arrived.fill(id, { ...(await read()), language: 'en' })],
    ['media', 'filled', () => arrived.setMedia(id, [], new Date())],
    ['what its platform says', 'filled', () => arrived.setSource(id, source, { dueAt: null, isNews: true })],
    // The index learns of a thread from the post's stamp, without an event.
    ['in a thread', '', async () => arrived.joinThread(await read(), 'the post it answers')],
    ['sealed', 'sealed', async () => sealed.seal(await read(), 'x', 'deleted', new Date())],
    ['unsealed', 'added', () => sealed.unseal(id, new Date())],
    ['hidden', 'sealed', () => sealed.hide(id, 'rules')],
    ['hidden for another reason', 'sealed', () => sealed.hide(id, 'law')],
    ['shown again', 'added', () => sealed.unhide(id)],
    ['sealed again', 'sealed', async () => sealed.seal(await read(), 'x', 'protected', new Date())],
    ['hidden while it is sealed', 'sealed', () => sealed.hide(id, 'rules')],
    ['sealed as before', 'sealed', () => sealed.unhide(id)],
    ['removed while it is sealed', 'removed', async () => sealed.remove(await aside())],
  ];
  const told: unknown[] = [];
  for (const [name, , change] of all) {
    const before = (await read()).changedAt;
    kinds.length = 0;
    await change();
    told.push([name, kinds.join(), (await read()).changedAt.greaterThan(before)]);
  }
  expect(told).toEqual(all.map(([name, kind]) => [name, kind, true]));
  await add(newPost({ id: 'removed' }));
  const other = (await store.find('removed')) as PostDocument;
  await store.remove(other._id);
  expect((await store.find('removed'))?.changedAt.greaterThan(other.changedAt)).toBe(true);
});

it('what changes nothing of a post is announced to nobody', async () => {
  const { add, context } = api;
  const { arrived, changes, sealed, store } = context.posts;
  await add(newPost({ id: 'as-it-is' }), newPost({ id: 'gone' }));
  const [post, gone] = (await store.findEach(['as-it-is', 'gone'])) as [PostDocument, PostDocument];
  await store.remove(gone._id);
  const announced: string[] = [];
  changes.listen(({ kind }) => void announced.push(kind));
  const source = { state: 'live' as const, checkedAt: new Date(0) };
  const stamp = async () => String((await store.find('as-it-is'))?.changedAt);
  const before = await stamp();
  await store.setCategory(gone._id, 'news');
  await store.setFeatured(gone._id, true);
  await store.unfeatureForPayment(post._id, 'no payment of it');
  await arrived.setMedia(gone._id, [], null);
  await arrived.setMedia(post._id, [], null, { changedAt: gone.changedAt });
  await arrived.setSource(post._id, source, { dueAt: new Date(), isNews: false });
  await sealed.seal({ ...post, changedAt: gone.changedAt }, 'x', 'deleted', new Date());
  await sealed.unseal(post._id, new Date());
  await sealed.hide(gone._id, 'rules');
  await sealed.unhide(post._id);
  await sealed.remove(post);
  expect([announced, await stamp()]).toEqual([[], before]);
});

it('a hidden post is away since the day it went, and one that is removed for good since its removal', async () => {
  const { add, context } = api;
  const { sealed, store } = context.posts;
  await add(newPost({ id: 'days' }));
  const post = (await store.find('days')) as PostDocument;
  const since = async () => ((await store.find('days')) as unknown as { removedAt: Date }).removedAt.toISOString();
  await sealed.seal(post, 'x', 'deleted', new Date());
  const day = new Date('2026-03-09T00:00:00Z');
  await context.database.db.collection('posts').updateOne({ _id: post._id }, { $set: { removedAt: day } });
  await sealed.hide(post._id, 'rules');
  expect(await since()).toBe(day.toISOString());
  await sealed.unhide(post._id);
  expect(await since()).toBe(day.toISOString());
  await sealed.remove(post);
  expect(Date.parse(await since())).toBeGreaterThan(day.getTime());
});
