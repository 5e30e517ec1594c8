import { navigate, useBrowserLocation, useHistoryState, useSearch } from 'wouter/use-browser-location';
import { matchRoute, postHref } from './routes.ts';

/** The state of an opened post's history entry: the page under it. */
interface PostHistoryState {
  background: string;
}

export interface ViewLocation {
  /** The path of the page under an opened post, or the current path. */
  path: string;
  search: string;
  /** The id of the post that is open over the page. */
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

/** Opens a post over the current page. Closing leads back to it. */
export function openPost(id: string): void {
  const below = backgroundOf(window.history.state) ?? window.location.pathname + window.location.search;
  navigate(postHref(id), { state: { background: below } satisfies PostHistoryState });
}

/** Replaces an opened post by another one, over a page of the same list. Closing leads back to that page. */
export function stepToPost(id: string, background: string): void {
  navigate(postHref(id), { replace: true, state: { background } satisfies PostHistoryState });
}

/** The page under an opened post, if any. Only paths of this site are accepted. */
export function backgroundOf(state: unknown): string | null {
  if (typeof state !== 'object' || state === null || !('background' in state)) return null;
  const { background } = state;
  return typeof background === 'string' && /^\/(?!\/)/.test(background) ? background : null;
}
