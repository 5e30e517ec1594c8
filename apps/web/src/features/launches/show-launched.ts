import { addressOf } from '@archive/client';
import type { Post } from '@archive/contracts';
import type { Cache, ScopedMutator } from 'swr';
import { changePost, refreshPosts } from '../../lib/post-cache.ts';
import { refreshSessionAnswer } from '../../wallet/session-answer.ts';

/**
 * Marks a post as launched in all cached answers and reloads those on screen. The marks are a hint: the next answer of
 * the server replaces them.
 */
export async function showLaunched(post: Post, cache: Cache, mutate: ScopedMutator): Promise<void> {
  await Promise.all([
    changePost(post, (known) => ({ ...known, launched: true }), cache, mutate),
    // Drops the cached launch information from before the launch.
    mutate(addressOf('launchInfo', { params: { id: post._id } }), undefined),
    mutate(addressOf('checkToken', { params: { id: post._id } }), undefined),
  ]);
  refreshLaunches(mutate);
}

/** Reloads the launch answers that are on screen. */
export function refreshLaunches(mutate: ScopedMutator): void {
  refreshPosts(mutate);
  refreshSessionAnswer('userTokens', mutate);
}
