import { ENDPOINTS, type PublicConfig } from '@archive/contracts';
import useSWRImmutable from 'swr/immutable';
import { fetchJson } from './api.ts';

export function useConfig(): PublicConfig | undefined {
  return useSWRImmutable<PublicConfig>(ENDPOINTS.config.path, fetchJson).data;
}
