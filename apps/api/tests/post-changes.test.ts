import { expect, it } from '@jest/globals';
import type { ObjectId } from 'mongodb';
import type { PostDocument } from '../src/posts/post-document.ts';
import { newPost, startTestApi } from './_test-api.ts';

it('every change of a post is announced once, and this process shows it by the time the writer is done', async () => {
  const { add, close, context, url } = await startTestApi();
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
  await close();
});

it('every change of a post is stamped, so that other processes and mirrors hear of it', async () => {
  const { add, close, context } = await startTestApi();
  const { store, sealed } = context.posts;
  await add(newPost({ id: 'changing' }));
  const { _id: id } = (await store.find('changing')) as PostDocument;
  const stamp = async () => String((await store.find('changing'))?.changedAt);
  const paid = { by: 'a payment', payee: 'a wallet' };
  const changes: Record<string, () => Promise<unknown>> = {
    category: () => store.setCategory(id, 'news'),
    featured: () => store.setFeatured(id, true),
    'featured no more': () => store.setFeatured(id, false),
    'paid for': () => store.featureForPayment(id, paid),
    'paid for no more': () => store.unfeatureForPayment(id, paid.by),
    launched: () => store.setLaunched(id, true),
    'launched no more': () => store.setLaunched(id, false),
    reaction: () =>
      context.reactions.changes.ask({ walletAddress: 'w', reactionType: 'heart', change: 'add', id: id.toHexString() }),
    sealed: async () => sealed.seal((await store.find('changing')) as PostDocument, 'x', 'deleted', new Date()),
    unsealed: () => sealed.unseal(id, new Date()),
    hidden: () => sealed.hide(id, 'rules'),
    'shown again': () => sealed.unhide(id),
    removed: () => store.remove(id),
  };
  const silent: string[] = [];
  for (const [name, change] of Object.entries(changes)) {
    const before = await stamp();
    await change();
    if ((await stamp()) === before) silent.push(name);
  }
  expect(silent).toEqual([]);
  await close();
});
