import { type RefObject, useCallback, useEffect, useRef } from 'react';

/** Pixels above the field where the page has moved to it. */
const GAP = 16;
/** The results are in sight where so many pixels of them are. */
const SEEN = 160;
const PHONE = '(max-width: 767px)';

export const isPhone = () => window.matchMedia(PHONE).matches;

/**
 * Scrolls the page so that the search field stands at its top, once the first answer is there and its results would lie below
 * the window. It scrolls once for a search, and back when the words are cleared. `bring` does it now, also again where it was asked for; `focus` does it on phones.
 */
export function useResultsInSight(
  results: RefObject<HTMLElement | null>,
  { words, isAnswered }: { words: string; isAnswered: boolean },
) {
  /** The page's `scrollY` before it was moved; null: it was not. */
  const from = useRef<number | null>(null);
  /** `bring` was called before the answer came. It is repeated then: a note may have moved the results down. */
  const isAwaited = useRef(false);

  const move = useCallback((isAsked = false) => {
    const field = document.getElementById('search')?.closest('search');
    if (!field || (from.current !== null && !isAsked)) return;
    from.current ??= window.scrollY;
    scroll(window.scrollY + field.getBoundingClientRect().top - GAP);
  }, []);
  const bring = useCallback(
    (isAsked = false) => {
      isAwaited.current = isAsked;
      const top = results.current?.getBoundingClientRect().top ?? 0;
      if (top > window.innerHeight - SEEN) move(isAsked);
    },
    [move, results],
  );

  useEffect(() => {
    const isInField = document.activeElement?.id === 'search';
    if (words === '') {
      if (from.current !== null && isInField) scroll(from.current);
      from.current = null;
    } else if (isAnswered && (isInField || isAwaited.current)) bring();
  }, [words, isAnswered, bring]);

  /** A phone's keyboard takes a third of the window. */
  const focus = useCallback(() => {
    if (!isPhone()) return;
    // Left without a word, the page may have been scrolled since.
    if (words === '') from.current = null;
    move();
  }, [move, words]);
  return { bring, focus };
}

function scroll(top: number): void {
  const isReduced = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  window.scrollTo({ top, behavior: isReduced ? 'instant' : 'smooth' });
}
