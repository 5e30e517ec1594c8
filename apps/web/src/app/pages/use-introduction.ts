import { useState } from 'react';

/**
 * Whether the page shows its introduction. A search hides it, so that results come first. While the focus is in the
 * search field or the results, the introduction stays as it was, because the field or the results would move.
 */
export function useIntroduction(search: string, isLooking: boolean): boolean {
  const [decided, setDecided] = useState({ search, isShown: !isLooking });
  if (decided.search === search) return decided.isShown;
  const isTyping = document.activeElement?.closest('search, [data-results]') != null;
  const next = { search, isShown: isTyping ? decided.isShown : !isLooking };
  setDecided(next);
  return next.isShown;
}
