import type { Notice } from './entities.ts';

/** Where a notice links to; null if it links to its post, or if its subject no longer exists. */
export function noticeHref({ kind, search }: Notice): string | null {
  if (kind === 'search' && search) return `/?${search.query}&sortBy=saved`;
  return kind === 'credit' ? '/dashboard' : null;
}
