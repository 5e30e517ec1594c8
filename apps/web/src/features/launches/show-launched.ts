import { addressOf } from '@archive/client';
import type { Post } from '@archive/contracts';
import type { Cache, ScopedMutator } from 'swr';
import { changePost, refreshPosts } from '../../lib/post-cache.ts';
import { refreshSessionAnswer } from '../../wallet/session-answer.ts';

/**
 * Marks a post as launched in every answer the page keeps, and asks for what is on screen anew. The marks are a hint:
 * whatever the server says next replaces them.
 */
export async function showLaunched(post: Post, cache: Cache, mutate: ScopedMutator): Promise<void> {
  await Promise.all([
    changePost(post, (known) => ({ ...known, launched: true }), cache, mutate),
    // What was asked of it before there was a token is forgotten.
    mutate(addressOf('launchInfo', { params: { id: post._id } }), undefined),
    mutate(addressOf('checkToken', { params: { id: post._id } }), undefined),
  ]);
  refreshLaunches(mutate);
}

/** Asks the server what it holds, where something of it is on screen. */
export function refreshLaunches(mutate: ScopedMutator): void {
  refreshPosts(mutate);
  refreshSessionAnswer('userTokens', mutate);
}
