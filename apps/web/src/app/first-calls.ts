import { ENDPOINTS } from '@archive/contracts';
import { matchRoute } from '../lib/routes.ts';

/** The address of the list call of a page's address, or of an author's. */
export type ListAddress = (search: string, handle?: string) => string;

/** What a page asks for as soon as it opens; the calls the page draws itself from come first. */
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

/** Filters that stand before the handle in the call. */
const BEFORE_HANDLE = ['search', 'author', 'content'];
const ORDER = ['sortBy', 'sortOrder', 'page'];

/**
 * The same as the page's own for every address that the page writes, without knowing the search language: the script in the
 * head is small. For others a call is made ahead that nobody takes.
 */
export const plainListAddress: ListAddress = (search, handle) => {
  const given = [...new URLSearchParams(search)].filter(([name]) => name !== 'view');
  const before = given.filter(([name]) => BEFORE_HANDLE.includes(name));
  const after = given.filter(([name]) => !BEFORE_HANDLE.includes(name));
  const params = [...before, ...(handle ? [['handle', handle]] : []), ...after];
  const isWhole = params.every(([name]) => ORDER.includes(name as string));
  return `${ENDPOINTS.listArchives.path}?${new URLSearchParams(isWhole ? [['split', 'featured'], ...params] : params)}`;
};
