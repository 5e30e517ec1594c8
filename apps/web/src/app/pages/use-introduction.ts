import { useState } from 'react';

/**
 * Whether what introduces the archive is shown: not where something is looked for, so that results come first. While one
 * types, and right after, it stays as it was: the field or the results would move.
 */
export function useIntroduction(search: string, isLooking: boolean): boolean {
  const [decided, setDecided] = useState({ search, isShown: !isLooking });
  if (decided.search === search) return decided.isShown;
  const isTyping = document.activeElement?.closest('search, [data-results]') != null;
  const next = { search, isShown: isTyping ? decided.isShown : !isLooking };
  setDecided(next);
  return next.isShown;
}
