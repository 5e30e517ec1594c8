import type { Notice } from './entities.ts';

/** Where a notice leads; null where it leads to its post, or what it was about is gone. */
export function noticeHref({ kind, search }: Notice): string | null {
  if (kind === 'search' && search) return `/?${search.query}&sortBy=saved`;
  return kind === 'credit' ? '/dashboard' : null;
}
