import { ENDPOINTS, type Post } from '@archive/contracts';
import { expect, test } from '@jest/globals';
import type { Cache, ScopedMutator, State } from 'swr';
import { archivePage, archivePost } from '../testing/archive-page.ts';
import {
  changePost,
  dropPosts,
  listedPost,
  postKey,
  postsIn,
  putPost,
  refreshPosts,
  replacePost,
  withoutPosts,
} from './post-cache.ts';

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

const LIST = `${ENDPOINTS.listArchives.path}?page=1`;
const QUIET = { revalidate: false };

/**
 * A stand-in cache with these answers. It records each change: the key, the new answer, and whether it is fetched
 * again.
 */
function keptAnswers(answers: Record<string, unknown>) {
  const cache: Cache = new Map<string, State>(Object.entries(answers).map(([key, data]) => [key, { data }]));
  const asked: unknown[][] = [];
  const mutate = ((...call: unknown[]) => {
    asked.push(call);
    return Promise.resolve();
  }) as ScopedMutator;
  return { cache, asked, mutate };
}

test('a post that is gone leaves each list that holds it, also where it is featured there alone; its own page asks anew', () => {
  const other = archivePost(2);
  const featuredAlone = archivePage([other], { featured: { ...post, featured: true } });
  const withoutIt = archivePage([other]);
  const { cache, asked, mutate } = keptAnswers({
    [LIST]: archivePage([post, other]),
    [`${LIST}&author=a`]: featuredAlone,
    [`${LIST}&author=b`]: withoutIt,
    [ENDPOINTS.explore.path]: { week: { from: '2026-11-18', posts: [post] } },
    [postKey(post._id)]: post,
    [postKey(other._id)]: other,
    '/amber/other': archivePage([post]),
  });
  dropPosts([post._id], cache, mutate);
  expect(asked).toEqual([
    [LIST, withoutPosts(archivePage([post, other]), new Set([post._id]))],
    [`${LIST}&author=a`, archivePage([other])],
    [ENDPOINTS.explore.path, { week: { from: '2026-11-18', posts: [] } }],
    [postKey(post._id)],
  ]);
});

test('a post that changes changes in each answer that holds it, and nothing is asked of the server', async () => {
  const featured = archivePage([archivePost(2)], { featured: post });
  const answers = {
    [LIST]: archivePage([post]),
    [`${LIST}&page=2`]: featured,
    [`${LIST}&page=3`]: archivePage([archivePost(2)]),
    [ENDPOINTS.explore.path]: { week: { from: '2026-11-18', posts: [post] } },
  };
  const { cache, asked, mutate } = keptAnswers(answers);
  await changePost(post, launch, cache, mutate);
  expect(asked.map(([key]) => key)).toEqual([LIST, `${LIST}&page=2`, ENDPOINTS.explore.path, postKey(post._id)]);
  for (const [key, change, options] of asked as [string, (known?: unknown) => unknown, object][]) {
    expect(options).toEqual(QUIET);
    const known = answers[key];
    const after = change(known);
    expect((known === undefined ? [after as Post] : postsIn(after)).find(({ _id }) => _id === post._id)?.launched).toBe(
      true,
    );
  }
});

test('an opened post stands as the list that was fetched last shows it', () => {
  const later = { ...post, reactions: { ...post.reactions, heart: 5 } };
  const { cache } = keptAnswers({
    [LIST]: archivePage([post]),
    [`${LIST}&page=2`]: archivePage([archivePost(2)], { featured: later }),
    [`${LIST}&page=3`]: archivePage([archivePost(3)]),
  });
  expect(listedPost(post._id, cache)).toBe(later);
  expect(listedPost(archivePost(2)._id, cache)).toEqual(archivePost(2));
  expect(listedPost(archivePost(9)._id, cache)).toBeUndefined();
});

test('a post from the server is put under its own key, and only answers that hold posts are asked for anew', async () => {
  const { asked, mutate } = keptAnswers({});
  await putPost(post, mutate);
  expect(asked).toEqual([[postKey(post._id), post, QUIET]]);
  refreshPosts(mutate);
  const holds = asked[1]?.[0] as (key: unknown) => boolean;
  const keys = [LIST, postKey(post._id), ENDPOINTS.explore.path, '/amber/config', undefined];
  expect(keys.map(holds)).toEqual([true, true, true, false, false]);
});
