import { expect, test } from '@jest/globals';
import { archivePage, archivePost } from '../testing/archive-page.ts';
import { postsIn, replacePost, withoutPosts } from './post-cache.ts';

const post = archivePost(1);
const launch = (known: typeof post) => ({ ...known, launched: true });

test('a post is replaced in a page, among those of this week, as the featured one, and by itself, and nowhere else', () => {
  const page = archivePage([post, archivePost(2)], { featured: { ...post, featured: true } });
  const after = replacePost(page, post._id, launch);
  expect(after.data.map(({ launched }) => launched)).toEqual([true, false]);
  expect(after.featured).toEqual({ ...post, featured: true, launched: true });
  const ways = { week: { from: '2026-11-18', posts: [archivePost(2), post] } };
  expect(replacePost(ways, post._id, launch).week.posts.map(({ launched }) => launched)).toEqual([false, true]);
  expect(page.data[0]?.launched).toBe(false);
  expect(replacePost(post, post._id, launch).launched).toBe(true);
  expect(replacePost(archivePost(2), post._id, launch)).toEqual(archivePost(2));
});

test('what holds no posts stays what it is', () => {
  for (const answer of [undefined, null, 'text', { data: 'text' }, { topAuthors: [] }]) {
    expect(replacePost(answer, post._id, launch)).toBe(answer);
  }
});

test('the posts of an answer are those of a page with its featured one, of a thread and of a week', () => {
  const featured = archivePost(3);
  expect(postsIn(archivePage([post, archivePost(2)], { featured }))).toEqual([post, archivePost(2), featured]);
  expect(postsIn({ data: [post] })).toEqual([post]);
  expect(postsIn({ week: { from: '2026-11-18', posts: [post] } })).toEqual([post]);
  for (const answer of [undefined, null, 'text', post, { data: 'text' }]) expect(postsIn(answer)).toEqual([]);
});

test('posts that are gone leave every list, and nothing else changes', () => {
  const other = archivePost(2);
  const gone = new Set([post._id]);
  const page = archivePage([post, other], { featured: { ...post, featured: true } });
  const after = withoutPosts(page, gone);
  expect(after.data).toEqual([other]);
  expect(after.featured).toBeNull();
  expect(after.pagination.total).toBe(page.pagination.total - 1);
  const ways = { week: { from: '2026-11-18', posts: [other, post] } };
  expect(withoutPosts(ways, gone).week.posts).toEqual([other]);
  for (const answer of [
    archivePage([other]),
    { week: { posts: [other] } },
    post,
    undefined,
    null,
    'text',
    { data: 'text' },
  ])
    expect(withoutPosts(answer, gone)).toBe(answer);
});
