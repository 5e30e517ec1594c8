import { type ArchivePage, type Match, wordsOf } from '@archive/contracts';
import useSWR from 'swr';
import { fetchJson } from '../../lib/api.ts';

/**
 * One page of a list. While another one is on its way the last stays, marked stale; answers are kept by address, so
 * a late one never takes the place of a newer.
 */
export function useArchives(address: string | null) {
  const { data, error, isLoading, mutate } = useSWR<ArchivePage>(address, fetchNearest, { keepPreviousData: true });

  return { list: data, error: error as unknown, isStale: isLoading && data !== undefined, reload: () => void mutate() };
}

/** Where no post holds the text, those that hold all its words, else all but one, else any of them; the answer tells which. */
async function fetchNearest(address: string): Promise<ArchivePage> {
  const page = await fetchJson<ArchivePage>(address);
  if (page.pagination.total > 0) return page;
  const [path, query] = address.split('?', 2);
  const params = new URLSearchParams(query);
  const words = wordsOf(params.get('search') ?? '').length;
  if (params.has('match') || words < 2) return page;
  // Of two words, all but one is any.
  const nearer: Match[] = words === 2 ? ['words', 'any'] : ['words', 'most', 'any'];
  for (const match of nearer) {
    params.set('match', match);
    const nearest = await fetchJson<ArchivePage>(`${path}?${params}`);
    if (nearest.pagination.total > 0) return nearest;
  }
  return page;
}
