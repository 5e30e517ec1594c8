import { type RefObject, useCallback, useEffect, useRef } from 'react';

/** Pixels between the window's top and the field after scrolling. */
const GAP = 16;
/** The results count as visible if at least this many pixels of them are. */
const SEEN = 160;
const PHONE = '(max-width: 767px)';

export const isPhone = () => window.matchMedia(PHONE).matches;

/**
 * Scrolls the search field to the top of the window when the first answer arrives and its results would be below the
 * window. It scrolls once per search, and back when the words are cleared. `bring` scrolls now, and with `true` also a
 * second time; `focus` scrolls on phones only.
 */
export function useResultsInSight(
  results: RefObject<HTMLElement | null>,
  { words, isAnswered }: { words: string; isAnswered: boolean },
) {
  /** The page's `scrollY` before this hook scrolled it; null if it did not. */
  const from = useRef<number | null>(null);
  /**
   * `bring` was called before the answer arrived. It is repeated then, because a note may have moved the results down.
   */
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

  /** Scrolls on phones, where the keyboard covers a third of the window. */
  const focus = useCallback(() => {
    if (!isPhone()) return;
    // Without words, the visitor may have scrolled since the stored position.
    if (words === '') from.current = null;
    move();
  }, [move, words]);
  return { bring, focus };
}

function scroll(top: number): void {
  const isReduced = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  window.scrollTo({ top, behavior: isReduced ? 'instant' : 'smooth' });
}
