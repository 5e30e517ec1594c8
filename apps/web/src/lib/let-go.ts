import type { Cache, ScopedMutator } from 'swr';
import { watchLive } from './live-stream.ts';
import { dropPosts } from './post-cache.ts';

/** While it is looked at, a page lets go of posts that are removed or hidden. Answers how to stop. */
export function letGoOfRemoved(cache: Cache, mutate: ScopedMutator): () => void {
  return watchLive({ onGone: (posts) => dropPosts(posts, cache, mutate) });
}
