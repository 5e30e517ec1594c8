import type { ScopedMutator } from 'swr';
import { watchLive } from './live-stream.ts';
import { dropPosts } from './post-cache.ts';

/** An open page lets go of posts as they are removed or hidden. Answers how to stop. */
export function letGoOfRemoved(mutate: ScopedMutator): () => void {
  return watchLive({ onGone: (posts) => void dropPosts(posts, mutate) });
}
