import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { ingestBodySchema, newPostSchema } from './post-schema.ts';

const post = {
  id: '1',
  content: 'words',
  authorUsername: 'ada',
  timestamp: '2026-01-15T09:30:00Z',
  url: 'https://x.com/ada/status/1',
};

describe('a post as it comes in', () => {
  test('fields that may be absent are filled in', () => {
    const filled = { author: 'ada', authorAvatar: null, category: null, metadata: {} };
    expect(newPostSchema.parse(post)).toEqual({ ...post, ...filled, timestamp: new Date(post.timestamp) });
    expect(
      newPostSchema.parse({ ...post, author: null, authorAvatar: '', category: '', metadata: null }),
    ).toMatchObject(filled);
  });

  test('the docs name what must be there and what may be', () => {
    const { required, properties } = z.toJSONSchema(newPostSchema, { io: 'input', unrepresentable: 'any' });
    expect(required?.toSorted()).toEqual(Object.keys(post).toSorted());
    expect(properties).toMatchObject({ author: { type: 'string' }, metadata: { type: 'object' } });
  });

  test('one post and a list of posts are read alike, and what is neither is named', () => {
    expect(ingestBodySchema.parse(post)).toEqual([post]);
    expect(ingestBodySchema.parse({ posts: [post, 3] })).toEqual([post, 3]);
    const problem = (body: unknown) =>
      ingestBodySchema.safeParse(body).error?.issues.map(({ path, message }) => [path, message]);
    expect(problem({ posts: 3 })).toEqual([[['posts'], 'must be a list']]);
    expect(problem({ posts: [] })).toEqual([[['posts'], 'must not be empty']]);
    expect(problem('post')).toEqual([[[], 'must be a post or { posts: [...] }']]);
    expect(problem(undefined)).toEqual([[[], 'must be a post or { posts: [...] }']]);
  });
});
