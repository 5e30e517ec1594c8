import { addressOf } from '@archive/client';
import { type ArchivePage, ENDPOINTS, type Explore, type Post } from '@archive/contracts';
import type { Cache, ScopedMutator } from 'swr';

/** The cache key of a single post. */
export function postKey(id: string): string {
  return addressOf('getArchive', { params: { id } });
}

/** A post from a cached list, so that an opened post is shown at once while it loads. */
export function listedPost(id: string, cache: Cache): Post | undefined {
  for (const key of [...cache.keys()].filter(holdsPosts).reverse()) {
    const { data, featured } = (cache.get(key)?.data ?? {}) as Partial<ArchivePage>;
    const post = featured?._id === id ? featured : data?.find(({ _id }) => _id === id);
    if (post !== undefined) return post;
  }
  return undefined;
}

/** Writes the server's current post into the cache of single posts. */
export async function putPost(post: Post, mutate: ScopedMutator): Promise<void> {
  await mutate(postKey(post._id), post, { revalidate: false });
}

/**
 * Changes a post in every cached answer that contains it, without a request. Other answers are not mutated, because
 * that would discard their pending requests.
 */
export async function changePost(
  post: Post,
  change: (post: Post) => Post,
  cache: Cache,
  mutate: ScopedMutator,
): Promise<void> {
  const keep = { revalidate: false };
  const holding = [...cache.keys()].filter(holdsPosts).filter((key) => {
    return postsIn(cache.get(key)?.data).some(({ _id }) => _id === post._id);
  });
  await Promise.all([
    ...holding.map((key) => mutate(key, (answer: unknown) => replacePost(answer, post._id, change), keep)),
    // A pending request for the post may have read it before the change. This mutation discards that request.
    mutate<Post>(postKey(post._id), (known = post) => change(known), keep),
  ]);
}

/**
 * Removes posts from cached lists and reloads those lists. A post on its own page is reloaded, so that the page says it
 * is gone. Other answers are not mutated, because that would discard their pending requests.
 */
export function dropPosts(gone: readonly string[], cache: Cache, mutate: ScopedMutator): void {
  const ids = new Set(gone);
  for (const key of [...cache.keys()].filter(holdsPosts)) {
    const answer: unknown = cache.get(key)?.data;
    const rest = withoutPosts(answer, ids);
    if (rest !== answer) mutate(key, rest).catch(() => {});
    else if (gone.some((id) => key === postKey(id))) mutate(key).catch(() => {});
  }
}

/** Reloads every answer with posts that is on screen. A failed one reloads when it is next shown. */
export function refreshPosts(mutate: ScopedMutator): void {
  mutate(holdsPosts).catch(() => {});
}

/** Whether a key holds posts: lists and single posts, which share a path, or the Explore page. */
function holdsPosts(key: unknown): boolean {
  return typeof key === 'string' && (key.startsWith(ENDPOINTS.listArchives.path) || key === ENDPOINTS.explore.path);
}

/** The posts of a list, a thread or the Explore page; empty for any other answer. */
export function postsIn(answer: unknown): Post[] {
  const { data, featured, week } = (answer ?? {}) as Partial<ArchivePage & Explore>;
  return [...(Array.isArray(data) ? data : []), ...(featured ? [featured] : []), ...(week?.posts ?? [])];
}

/** A list or the Explore answer without these posts. Returns the same object if it contains none of them. */
export function withoutPosts<Answer>(answer: Answer, ids: ReadonlySet<string>): Answer {
  if (typeof answer !== 'object' || answer === null) return answer;
  const isKept = ({ _id }: Post) => !ids.has(_id);
  if ('week' in answer) {
    const { week } = answer as unknown as Explore;
    return week.posts.every(isKept) ? answer : { ...answer, week: { ...week, posts: week.posts.filter(isKept) } };
  }
  if (!('pagination' in answer)) return answer;
  const { data, featured, pagination } = answer as unknown as ArchivePage;
  const kept = data.filter(isKept);
  if (kept.length === data.length && (featured === null || isKept(featured))) return answer;
  const total = pagination.total - (data.length - kept.length);
  const changed = { data: kept, featured: featured && isKept(featured) ? featured : null };
  return { ...answer, ...changed, pagination: { ...pagination, total } };
}

/** An answer with one post replaced. Returns an equal answer if it does not contain the post. */
export function replacePost<Answer>(answer: Answer, postId: string, change: (post: Post) => Post): Answer {
  if (typeof answer !== 'object' || answer === null) return answer;
  const replace = (post: Post): Post => (post._id === postId ? change(post) : post);
  if ('_id' in answer) return replace(answer as unknown as Post) as Answer;
  if ('week' in answer) {
    const { week } = answer as unknown as Explore;
    return { ...answer, week: { ...week, posts: week.posts.map(replace) } };
  }
  if (!('data' in answer) || !Array.isArray(answer.data)) return answer;
  const page = answer as unknown as ArchivePage;
  return { ...page, data: page.data.map(replace), featured: page.featured && replace(page.featured) } as Answer;
}
