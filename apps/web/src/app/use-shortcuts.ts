import { useLayoutEffect } from 'react';

const STOP = '[data-post-stop]';

/** Shortcut keys of the whole site. Enter and Esc keep the browser's own behaviour on links and dialogs. */
export function useShortcuts(onHelp: () => void): void {
  // A layout effect, so that the keys work as soon as the page is visible.
  useLayoutEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target) || document.querySelector('dialog[open]') !== null) return;
      if (act(event.key, onHelp)) event.preventDefault();
    }
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [onHelp]);
}

function act(key: string, onHelp: () => void): boolean {
  switch (key) {
    case '/':
      return focusSearch();
    case '?':
      onHelp();
      return true;
    case 'j':
    case 'ArrowRight':
      return move(1);
    case 'k':
    case 'ArrowLeft':
      return move(-1);
    // The up and down keys scroll the page until a post has the focus.
    case 'ArrowDown':
      return moveVertically(1);
    case 'ArrowUp':
      return moveVertically(-1);
    default:
      return false;
  }
}

function focusSearch(): boolean {
  const search = document.getElementById('search');
  if (!(search instanceof HTMLInputElement)) return false;
  search.focus();
  search.select();
  return true;
}

function move(by: 1 | -1): boolean {
  const stops = allStops();
  // On a post's own page there are no stops: go to its neighbours.
  if (stops.length === 0) return press(by === 1 ? '[data-step="next"]' : '[data-step="previous"]');
  // `current` is -1 if no post has the focus, so the next one is the first.
  return focus(stops[current(stops) + by]);
}

function press(selector: string): boolean {
  const link = document.querySelector<HTMLElement>(selector);
  link?.click();
  return link !== null;
}

function moveVertically(by: 1 | -1): boolean {
  const stops = allStops();
  const from = stops[current(stops)];
  if (from === undefined) return false;
  const box = from.getBoundingClientRect();
  const middle = box.left + box.width / 2;
  const beyond = stops.filter((stop) => {
    const { top, bottom, left, right } = stop.getBoundingClientRect();
    return (by === 1 ? top >= box.bottom : bottom <= box.top) && left <= middle && middle <= right;
  });
  return focus(by === 1 ? beyond[0] : beyond.at(-1)) || move(by);
}

function allStops(): HTMLElement[] {
  const stops = [...document.querySelectorAll<HTMLElement>(STOP)];
  return stops.filter((stop) => stop.closest('[data-aside="true"]') === null);
}

/** The index of the post that has or contains the focus; -1 if none. */
function current(stops: readonly HTMLElement[]): number {
  const active = document.activeElement;
  if (active === null || active === document.body) return -1;
  const holder = active.closest('article, tr');
  return stops.findIndex((stop) => stop === active || (holder?.contains(stop) ?? false));
}

function focus(stop: HTMLElement | undefined): boolean {
  if (stop === undefined) return false;
  stop.focus();
  (stop.closest('article, tr') ?? stop).scrollIntoView({ block: 'nearest' });
  return true;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;
}
