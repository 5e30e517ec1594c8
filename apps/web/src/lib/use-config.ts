import { PLATFORM_NAMES, type PublicConfig } from '@archive/contracts';
import { useAnswer } from './api.ts';

/** Options for answers that do not change while the page is open. */
export const ASKED_ONCE = { revalidateIfStale: false, revalidateOnFocus: false, revalidateOnReconnect: false };

const SOURCES = ['x', 'bluesky'] as const;

export function useConfig(): PublicConfig | undefined {
  return useAnswer('config', {}, ASKED_ONCE).data;
}

/** The platforms whose posts can be saved by link, in words: `X or Bluesky`. */
export function useReadable(): string {
  const readable: readonly string[] = useConfig()?.readable ?? SOURCES;
  return SOURCES.filter((source) => readable.includes(source))
    .map((source) => PLATFORM_NAMES[source])
    .join(' or ');
}
