import type { Post } from '@archive/contracts';
import type { ScopedMutator } from 'swr';
import { putPost, refreshPosts } from '../../../lib/post-cache.ts';
import { refreshSessionAnswer } from '../../../wallet/session-answer.ts';

/** Writes a featured post into the cache and reloads lists and credits. */
export async function showFeatured(archive: Post | null, mutate: ScopedMutator): Promise<void> {
  if (archive !== null) await putPost(archive, mutate);
  refreshPosts(mutate);
  refreshSessionAnswer('featureCredits', mutate);
}
