import type { Post } from '@archive/contracts';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ObjectId } from 'mongodb';
import request from 'supertest';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
  const times = { b: 2, a: 1, c: 3, alone: 4 };
  for (const [id, minute] of Object.entries(times))
    await api.add(newPost({ id, timestamp: `2026-11-19T03:0${minute}:00.000Z` }));
  const posts = api.context.database.db.collection('posts');
  await posts.updateMany({ id: { $in: ['a', 'b', 'c'] } }, { $set: { threadRoot: 'a' } });
});

afterAll(() => api.close());

const threadOf = async (id: string) => {
  const { status, body } = await request(api.app).get(`/amber/archives/${id}/thread`);
  return [status, status === 200 ? (body.data as Post[]).map((post) => post.id) : body.code];
};

it.each(['a', 'b', 'c'])('the thread of %s is told whole, in the order of time', async (id) => {
  expect(await threadOf(id)).toEqual([200, ['a', 'b', 'c']]);
});

it('a post that stands alone is its thread', async () => {
  expect(await threadOf('alone')).toEqual([200, ['alone']]);
});

it('what is unknown is no thread, and a removed post is gone from its own', async () => {
  expect(await threadOf('nobody')).toEqual([404, 'post_not_found']);
  const { body } = await request(api.app).get('/amber/archives/b');
  await api.context.posts.store.remove(new ObjectId(body._id as string));
  expect(await threadOf('b')).toEqual([410, 'post_removed']);
  expect(await threadOf('c')).toEqual([200, ['a', 'c']]);
});

const neighboursOf = async (id: string) => {
  const { status, body } = await request(api.app).get(`/amber/archives/${id}/neighbours`);
  return [status, status === 200 ? [body.before?.id, body.after?.id] : body.code];
};

it('neighbours in time lead through all posts, those of one moment too, and never to a removed one', async () => {
  await api.add(newPost({ id: 'same', timestamp: '2026-11-19T03:04:00.000Z' }));
  expect(await neighboursOf('c')).toEqual([200, ['a', 'alone']]);
  expect(await neighboursOf('a')).toEqual([200, [undefined, 'c']]);
  expect(await neighboursOf('alone')).toEqual([200, ['c', 'same']]);
  expect(await neighboursOf('same')).toEqual([200, ['alone', undefined]]);
  expect(await neighboursOf('b')).toEqual([410, 'post_removed']);
  expect(await neighboursOf('nobody')).toEqual([404, 'post_not_found']);
});
