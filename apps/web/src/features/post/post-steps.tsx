import type { KeyboardEvent } from 'react';
import buttons from '../../ui/button.module.css';
import { ChevronLeftIcon, ChevronRightIcon } from '../../ui/icons.tsx';
import styles from './post-steps.module.css';

/** The neighbours of an opened post in its list; null at an end of the list. */
export interface PostSteps {
  /** For example `3 of 1,902`. */
  place: string | null;
  previous: (() => void) | null;
  next: (() => void) | null;
}

/** Previous and next buttons: in the dialog's head on phones, else at its sides. */
export function StepButtons({ steps: { previous, next, place } }: { steps: PostSteps }) {
  return (
    <>
      <span className={styles['place']} role="status">
        {place}
      </span>
      <button
        type="button"
        className={`${buttons['icon']} ${styles['step']}`}
        data-side="previous"
        aria-label="Previous post"
        aria-disabled={previous === null}
        onClick={() => previous?.()}
      >
        <ChevronLeftIcon />
      </button>
      <button
        type="button"
        className={`${buttons['icon']} ${styles['step']}`}
        data-side="next"
        aria-label="Next post"
        aria-disabled={next === null}
        onClick={() => next?.()}
      >
        <ChevronRightIcon />
      </button>
    </>
  );
}

/** Handles the keys of a list in a post that was opened from it. */
export function stepByKey(event: KeyboardEvent<HTMLElement>, steps: PostSteps): void {
  const target = event.target as Element;
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.defaultPrevented) return;
  // A picture viewer opened from here handles its own keys.
  if (!event.currentTarget.contains(target) || target.closest('video, input, textarea, select') !== null) return;
  const step = STEPS[event.key];
  if (step === undefined) return;
  event.preventDefault();
  steps[step]?.();
}

const STEPS: Record<string, 'previous' | 'next'> = {
  k: 'previous',
  ArrowLeft: 'previous',
  j: 'next',
  ArrowRight: 'next',
};
