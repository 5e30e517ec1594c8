import { type Archive, ENDPOINTS } from '@archive/contracts';
import type { ScopedMutator } from 'swr';
import { pathWithId } from '../../lib/api.ts';
import { rememberPosts } from '../../lib/seen-posts.ts';

/** Puts a post that the server calls featured where the page reads from, and asks for lists and credits anew. */
export async function showFeatured(archive: Archive | null, mutate: ScopedMutator): Promise<void> {
  if (archive !== null) {
    rememberPosts([archive]);
    await mutate(pathWithId(ENDPOINTS.getArchive.path, archive._id), archive, { revalidate: false });
  }
  // Not waited for: what fails here is asked again when it is next shown.
  mutate((key) => typeof key === 'string' && isConcerned(key)).catch(() => {});
}

function isConcerned(key: string): boolean {
  return key.startsWith(ENDPOINTS.listArchives.path) || key.startsWith(ENDPOINTS.featureCredits.path);
}
