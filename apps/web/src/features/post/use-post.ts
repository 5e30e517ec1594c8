import { type Archive, ENDPOINTS } from '@archive/contracts';
import useSWR from 'swr';
import { fetchJson, pathWithId } from '../../lib/api.ts';
import { seenPost } from '../../lib/seen-posts.ts';

/** One post: as listed at first, where it was, then as the archive has it now. */
export function usePost(id: string) {
  const known = seenPost(id);
  const { data, error, mutate } = useSWR<Archive>(pathWithId(ENDPOINTS.getArchive.path, id), fetchJson, {
    ...(known === undefined ? {} : { fallbackData: known }),
  });
  return { post: error === undefined ? data : undefined, error: error as unknown, reload: () => void mutate() };
}
