import { ENDPOINTS } from '@archive/contracts';
import { listAddress, parseView } from '../features/archive/view-state.ts';
import { pathWithId } from '../lib/api.ts';
import { decodeSegment } from '../lib/decode-segment.ts';

/** What a page asks for as soon as it opens; the calls the page draws itself from come first. */
export function firstCalls(path: string, search: string): string[] {
  const config = ENDPOINTS.config.path;
  const post = /^\/post\/([^/]+)$/.exec(path)?.[1];
  if (post !== undefined) return [config, pathWithId(ENDPOINTS.getArchive.path, decodeSegment(post))];
  const handle = /^\/author\/([^/]+)$/.exec(path)?.[1];
  if (handle !== undefined) return [config, listAddress(parseView(search), decodeSegment(handle))];
  if (path === '/') return [config, listAddress(parseView(search)), ENDPOINTS.analytics.path];
  return [config];
}
