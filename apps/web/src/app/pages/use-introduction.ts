import { useState } from 'react';

/**
 * Whether what introduces the archive is shown: not where something is looked for, so that results come first. While
 * somebody types it stays as it was, since the field they type into would move.
 */
export function useIntroduction(search: string, isLooking: boolean): boolean {
  const [decided, setDecided] = useState({ search, isShown: !isLooking });
  if (decided.search === search) return decided.isShown;
  const isTyping = document.activeElement?.closest('search') != null;
  const next = { search, isShown: isTyping ? decided.isShown : !isLooking };
  setDecided(next);
  return next.isShown;
}
