import { addressOf } from '@archive/client';
import { type ArchivePage, ENDPOINTS, type Explore, type Post } from '@archive/contracts';
import type { Cache, ScopedMutator } from 'swr';

/** Under which address a post by itself is kept. */
export function postKey(id: string): string {
  return addressOf('getArchive', { params: { id } });
}

/** A post as a list last showed it, so that one that is opened stands at once while it is fetched afresh. */
export function listedPost(id: string, cache: Cache): Post | undefined {
  for (const key of [...cache.keys()].filter(holdsPosts).reverse()) {
    const { data, featured } = (cache.get(key)?.data ?? {}) as Partial<ArchivePage>;
    const post = featured?._id === id ? featured : data?.find(({ _id }) => _id === id);
    if (post !== undefined) return post;
  }
  return undefined;
}

/** Puts a post as the server has it now where an opened post reads from. */
export async function putPost(post: Post, mutate: ScopedMutator): Promise<void> {
  await mutate(postKey(post._id), post, { revalidate: false });
}

/**
 * Changes a post in every answer that holds it, without asking the server. Other answers are left alone: one that is on its
 * way would be put aside.
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
    // A question for the post that is still under way may have been answered before the change: it is put aside.
    mutate<Post>(postKey(post._id), (known = post) => change(known), keep),
  ]);
}

/**
 * Takes posts out of the lists that hold them, and loads these again; also one that is shown by itself: its page then
 * says that it is gone. Other answers are left alone: one that is on its way would be put aside.
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

/** Asks anew for every answer with posts that is on screen. What fails is asked again when it is next shown. */
export function refreshPosts(mutate: ScopedMutator): void {
  mutate(holdsPosts).catch(() => {});
}

/** Lists, posts by themselves, which stand under the same path, and the posts of this week. */
function holdsPosts(key: unknown): boolean {
  return typeof key === 'string' && (key.startsWith(ENDPOINTS.listArchives.path) || key === ENDPOINTS.explore.path);
}

/** The posts of a page of a list, a thread or a week; none where an answer has another shape. */
export function postsIn(answer: unknown): Post[] {
  const { data, featured, week } = (answer ?? {}) as Partial<ArchivePage & Explore>;
  return [...(Array.isArray(data) ? data : []), ...(featured ? [featured] : []), ...(week?.posts ?? [])];
}

/** A page of a list, or the posts of a week, without these posts; the same where it holds none of them. */
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

/** An answer that holds posts, a page of them or one, with one post replaced; the same where it is absent. */
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
