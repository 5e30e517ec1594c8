import { navigate, useBrowserLocation, useHistoryState, useSearch } from 'wouter/use-browser-location';
import { matchRoute, postHref } from './routes.ts';

/** What a history entry of an opened post remembers: the page it lies over. */
interface PostHistoryState {
  background: string;
}

export interface ViewLocation {
  /** The page that is drawn; a post opened from a list leaves the list as it is. */
  path: string;
  search: string;
  /** The post that lies over it. */
  openedPost: string | null;
}

export function useViewLocation(): ViewLocation {
  const [path] = useBrowserLocation();
  const search = useSearch();
  const state: unknown = useHistoryState();
  const { route, name } = matchRoute(path);
  const background = route === '/post/:id' ? backgroundOf(state) : null;
  if (background === null) return { path, search: search.replace(/^\?/, ''), openedPost: null };
  const [below = '/', belowSearch = ''] = background.split('?', 2);
  return { path: below, search: belowSearch, openedPost: name };
}

/** Opens a post over the page one is on, so that closing leads back to it. */
export function openPost(id: string): void {
  const below = backgroundOf(window.history.state) ?? window.location.pathname + window.location.search;
  navigate(postHref(id), { state: { background: below } satisfies PostHistoryState });
}

/** Puts another post in the place of an opened one, over a page of the same list: closing leads back there. */
export function stepToPost(id: string, background: string): void {
  navigate(postHref(id), { replace: true, state: { background } satisfies PostHistoryState });
}

/** The page under an opened post, where there is one. Only paths of this site are believed. */
export function backgroundOf(state: unknown): string | null {
  if (typeof state !== 'object' || state === null || !('background' in state)) return null;
  const { background } = state;
  return typeof background === 'string' && /^\/(?!\/)/.test(background) ? background : null;
}
