import { type Archive, ENDPOINTS } from '@archive/contracts';
import type { ScopedMutator } from 'swr';
import { pathWithId } from '../../lib/api.ts';
import { replacePost } from '../../lib/replace-post.ts';
import { rememberPosts, seenPost } from '../../lib/seen-posts.ts';
import { launchedTokensKey } from '../../wallet/launched-tokens.ts';
import { walletState } from '../../wallet/wallet-store.ts';

/**
 * Marks a post as launched in every answer the page keeps, and asks for what is on screen anew. The marks are a hint:
 * whatever the server says next takes their place.
 */
export async function showLaunched(post: Archive, mutate: ScopedMutator): Promise<void> {
  const mark = (known: Archive): Archive => ({ ...known, launched: true });
  rememberPosts([mark(seenPost(post._id) ?? post)]);
  await Promise.all([
    mutate(isPosts, (answer: unknown) => replacePost(answer, post._id, mark), { revalidate: false }),
    // What was asked of it before there was a token is forgotten.
    mutate(pathWithId(ENDPOINTS.launchInfo.path, post._id), undefined),
    mutate(pathWithId(ENDPOINTS.checkToken.path, post._id), undefined),
  ]);
  askAnew(mutate);
}

/** Asks the server what it holds, where something of it is on screen. */
export function askAnew(mutate: ScopedMutator): void {
  const { token } = walletState();
  const tokens = token === null ? null : launchedTokensKey(token);
  // Not waited for: what fails here is asked again when it is next shown.
  mutate((key) => isPosts(key) || (tokens !== null && key === tokens)).catch(() => {});
}

/** Lists, and posts by themselves, which stand under the same path. */
function isPosts(key: unknown): boolean {
  return typeof key === 'string' && key.startsWith(ENDPOINTS.listArchives.path);
}
