import type { Cache, ScopedMutator } from 'swr';
import { watchLive } from './live-stream.ts';
import { dropPosts } from './post-cache.ts';

/** Drops removed and hidden posts from the page while it is visible. Returns a function that stops it. */
export function letGoOfRemoved(cache: Cache, mutate: ScopedMutator): () => void {
  return watchLive({ onGone: (posts) => dropPosts(posts, cache, mutate) });
}
