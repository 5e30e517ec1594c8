import { type RefObject, useCallback, useEffect, useRef } from 'react';

/** Pixels above the field where the page has moved to it. */
const GAP = 16;
/** Of the first result, in pixels: less of it is not in sight. */
const SEEN = 160;
const PHONE = '(max-width: 767px)';

/**
 * Brings the results of a search into sight: the page moves so far that the field stands at its top, once for a search, and back
 * where the words are cleared. `bring` does so at once.
 */
export function useResultsInSight(
  results: RefObject<HTMLElement | null>,
  { words, isAnswered }: { words: string; isAnswered: boolean },
) {
  /** Where the page was; null: it has not moved. */
  const from = useRef<number | null>(null);

  const move = useCallback(() => {
    const field = document.getElementById('search')?.closest('search');
    if (!field || from.current !== null) return;
    from.current = window.scrollY;
    scroll(window.scrollY + field.getBoundingClientRect().top - GAP);
  }, []);
  const bring = useCallback(() => {
    const top = results.current?.getBoundingClientRect().top ?? 0;
    if (top > window.innerHeight - SEEN) move();
  }, [move, results]);

  useEffect(() => {
    const isInField = document.activeElement?.id === 'search';
    if (words === '') {
      if (from.current !== null && isInField) scroll(from.current);
      from.current = null;
    } else if (isAnswered && isInField) bring();
  }, [words, isAnswered, bring]);

  /** A phone's keyboard takes a third of it: there the field moves up before it is written in. */
  const focus = useCallback(() => {
    if (window.matchMedia(PHONE).matches) move();
  }, [move]);
  return { bring, focus };
}

function scroll(top: number): void {
  const isReduced = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  window.scrollTo({ top, behavior: isReduced ? 'instant' : 'smooth' });
}
