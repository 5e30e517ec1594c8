import { ENDPOINTS } from '@archive/contracts';
import { listAddress, parseView } from '../features/archive/view-state.ts';
import { matchRoute } from '../lib/routes.ts';

/** What a page asks for as soon as it opens; the calls the page draws itself from come first. */
export function firstCalls(path: string, search: string): string[] {
  const config = ENDPOINTS.config.path;
  const { route, name } = matchRoute(path);
  switch (route) {
    case '/':
      return [config, listAddress(parseView(search)), ENDPOINTS.analytics.path];
    case '/explore':
      return [config, ENDPOINTS.explore.path];
    case '/post/:id':
      return [config, ENDPOINTS.getArchive.path.replace(':id', encodeURIComponent(name))];
    case '/author/:handle':
      return [config, listAddress(parseView(search), name)];
    default:
      return [config];
  }
}
