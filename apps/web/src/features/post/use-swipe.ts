import { type TouchEvent, useRef } from 'react';

/** The least distance of a swipe in px, and how much its horizontal part must exceed its vertical part. */
const LEAST_WAY = 56;
const STEEPNESS = 2;

/** Calls back on a horizontal swipe, except one that selects text, moves a video, or zooms. */
export function useSwipe(onSwipe: (towards: 'left' | 'right') => void) {
  const start = useRef<{ x: number; y: number } | null>(null);

  function onTouchStart({ touches, target, currentTarget }: TouchEvent<HTMLElement>) {
    const touch = touches[0];
    const isPlain = touches.length === 1 && currentTarget.contains(target as Node);
    const isHeard = isPlain && (target as Element).closest('video, input, textarea, select') === null;
    start.current = touch !== undefined && isHeard ? { x: touch.clientX, y: touch.clientY } : null;
  }

  function onTouchEnd({ changedTouches }: TouchEvent<HTMLElement>) {
    const touch = changedTouches[0];
    const from = start.current;
    start.current = null;
    if (from === null || touch === undefined || window.getSelection()?.isCollapsed === false) return;
    const across = touch.clientX - from.x;
    if (Math.abs(across) < LEAST_WAY || Math.abs(across) < STEEPNESS * Math.abs(touch.clientY - from.y)) return;
    onSwipe(across < 0 ? 'left' : 'right');
  }
  return { onTouchStart, onTouchEnd };
}
