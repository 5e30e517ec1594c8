import type { KeyboardEvent } from 'react';
import buttons from '../../ui/button.module.css';
import { ChevronLeftIcon, ChevronRightIcon } from '../../ui/icons.tsx';
import styles from './post-steps.module.css';

/** From an opened post to those beside it in the list it was opened from; null at an end. */
export interface PostSteps {
  /** Such as `3 of 1,902`. */
  place: string | null;
  previous: (() => void) | null;
  next: (() => void) | null;
}

/** In the dialog's head on phones, else at both sides of the dialog. */
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

/** The keys that lead on in a list do so in a post that was opened from it. */
export function stepByKey(event: KeyboardEvent<HTMLElement>, steps: PostSteps): void {
  const target = event.target as Element;
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.defaultPrevented) return;
  // A viewer that was opened from here has keys of its own.
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
