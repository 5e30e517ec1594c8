import { navigate } from 'wouter/use-browser-location';

/** What a history entry of an opened post remembers: the page it lies over. */
export interface PostHistoryState {
  background: string;
}

export function postHref(id: string): string {
  return `/post/${encodeURIComponent(id)}`;
}

export function authorHref(handle: string): string {
  return `/author/${encodeURIComponent(handle)}`;
}

/** Opens a post over the page one is on, so that closing leads back to it. */
export function openPost(id: string): void {
  const below = backgroundOf(window.history.state) ?? window.location.pathname + window.location.search;
  navigate(postHref(id), { state: { background: below } satisfies PostHistoryState });
}

/** The page under an opened post, where there is one. Only paths of this site are believed. */
export function backgroundOf(state: unknown): string | null {
  if (typeof state !== 'object' || state === null || !('background' in state)) return null;
  const { background } = state;
  return typeof background === 'string' && /^\/(?!\/)/.test(background) ? background : null;
}
