import type { PublicConfig } from '@archive/contracts';
import { useAnswer } from './api.ts';

/** For answers that stay as they are while the page is open. */
export const ASKED_ONCE = { revalidateIfStale: false, revalidateOnFocus: false, revalidateOnReconnect: false };

export function useConfig(): PublicConfig | undefined {
  return useAnswer('config', {}, ASKED_ONCE).data;
}
