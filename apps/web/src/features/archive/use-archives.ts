import { type ArchivePage, type Match, wordsOf } from '@archive/contracts';
import useSWR from 'swr';
import { fetchJson } from '../../lib/api.ts';

/**
 * One page of a list. While the next page loads, the last one stays and is marked stale. Answers are cached by address,
 * so a late answer never replaces a newer one.
 */
export function useArchives(address: string | null) {
  const { data, error, isLoading, mutate } = useSWR<ArchivePage>(address, fetchNearest, { keepPreviousData: true });

  return { list: data, error: error as unknown, isStale: isLoading && data !== undefined, reload: () => void mutate() };
}

/**
 * Loads a page. If no post contains the exact text, it retries with looser matches: all words, all but one, any word.
 * The answer names the match.
 */
async function fetchNearest(address: string): Promise<ArchivePage> {
  const page = await fetchJson<ArchivePage>(address);
  if (page.pagination.total > 0) return page;
  const [path, query] = address.split('?', 2);
  const params = new URLSearchParams(query);
  const words = wordsOf(params.get('search') ?? '').length;
  if (params.has('match') || words < 2) return page;
  // For two words, "all but one" is the same as "any".
  const nearer: Match[] = words === 2 ? ['words', 'any'] : ['words', 'most', 'any'];
  for (const match of nearer) {
    params.set('match', match);
    const nearest = await fetchJson<ArchivePage>(`${path}?${params}`);
    if (nearest.pagination.total > 0) return nearest;
  }
  return page;
}
