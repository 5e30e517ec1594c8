import type { Post } from '@archive/contracts';
import type { ScopedMutator } from 'swr';
import { putPost, refreshPosts } from '../../../lib/post-cache.ts';
import { refreshSessionAnswer } from '../../../wallet/session-answer.ts';

/** Puts a post that the server calls featured where the page reads from, and asks for lists and credits anew. */
export async function showFeatured(archive: Post | null, mutate: ScopedMutator): Promise<void> {
  if (archive !== null) await putPost(archive, mutate);
  refreshPosts(mutate);
  refreshSessionAnswer('featureCredits', mutate);
}
