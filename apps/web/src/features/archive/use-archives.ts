import type { ArchivePage } from '@archive/contracts';
import useSWR from 'swr';
import { fetchJson } from '../../lib/api.ts';

/**
 * One page of a list. While another one is on its way the last stays, marked stale; answers are kept by address, so
 * a late one never takes the place of a newer.
 */
export function useArchives(address: string) {
  const { data, error, isLoading, mutate } = useSWR<ArchivePage>(address, fetchJson, { keepPreviousData: true });

  return { list: data, error: error as unknown, isStale: isLoading && data !== undefined, reload: () => void mutate() };
}
