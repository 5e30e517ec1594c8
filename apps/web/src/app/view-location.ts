import { useBrowserLocation, useHistoryState, useSearch } from 'wouter/use-browser-location';
import { decodeSegment } from '../lib/decode-segment.ts';
import { backgroundOf } from '../lib/post-link.ts';

export interface ViewLocation {
  /** The page that is drawn; a post opened from a list leaves the list in place. */
  path: string;
  search: string;
  /** The post that lies over it. */
  openedPost: string | null;
}

export function useViewLocation(): ViewLocation {
  const [path] = useBrowserLocation();
  const search = useSearch();
  const state: unknown = useHistoryState();
  const post = /^\/post\/([^/]+)\/?$/.exec(path)?.[1];
  const background = post === undefined ? null : backgroundOf(state);
  if (post === undefined || background === null) {
    return { path, search: search.replace(/^\?/, ''), openedPost: null };
  }
  const [below = '/', belowSearch = ''] = background.split('?', 2);
  return { path: below, search: belowSearch, openedPost: decodeSegment(post) };
}
