import type { Archive } from '@archive/contracts';

const seen = new Map<string, Archive>();

/** Remembers listed posts, so that one opened from a list stands at once while it is fetched afresh. */
export function rememberPosts(posts: readonly Archive[]): void {
  for (const post of posts) seen.set(post._id, post);
}

export function seenPost(id: string): Archive | undefined {
  return seen.get(id);
}
