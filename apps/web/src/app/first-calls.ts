import { ENDPOINTS } from '@archive/contracts';
import { matchRoute } from '../lib/routes.ts';

/** The address of the list call for a page's query string, and for an author's handle. */
export type ListAddress = (search: string, handle?: string) => string;

/** The API calls of a page that opens. The calls whose answers the page needs for its first render come first. */
export function firstCalls(path: string, search: string, listAddress: ListAddress): string[] {
  const config = ENDPOINTS.config.path;
  const { route, name } = matchRoute(path);
  switch (route) {
    case '/':
      return [config, listAddress(search), ENDPOINTS.analytics.path];
    case '/explore':
      return [config, ENDPOINTS.explore.path];
    case '/post/:id':
      return [config, ENDPOINTS.getArchive.path.replace(':id', encodeURIComponent(name))];
    case '/author/:handle':
      return [config, listAddress(search, name), ENDPOINTS.getAuthor.path.replace(':handle', encodeURIComponent(name))];
    default:
      return [config];
  }
}

/** The filters that the list call puts before the handle. */
const BEFORE_HANDLE = ['search', 'author', 'content'];
const ORDER = ['sortBy', 'sortOrder', 'page'];

/**
 * Gives the same list address as the page for every address that the page itself writes. It does not parse the search
 * language, because the script in the head must stay small. For other addresses it prefetches a call that the page does
 * not use.
 */
export const plainListAddress: ListAddress = (search, handle) => {
  const given = [...new URLSearchParams(search)].filter(([name]) => name !== 'view');
  const before = given.filter(([name]) => BEFORE_HANDLE.includes(name));
  const after = given.filter(([name]) => !BEFORE_HANDLE.includes(name));
  const params = [...before, ...(handle ? [['handle', handle]] : []), ...after];
  const isWhole = params.every(([name]) => ORDER.includes(name as string));
  return `${ENDPOINTS.listArchives.path}?${new URLSearchParams(isWhole ? [['split', 'featured'], ...params] : params)}`;
};
