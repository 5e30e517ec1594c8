import { ENDPOINTS, PRODUCT_SLUG, WEB_ROUTES } from '@archive/contracts';

/** Caches by kind. The number in the name is the version of the format: a new number starts with empty caches. */
export const SHELVES = {
  /** Scripts, styles and fonts; their names contain a hash of their contents. */
  built: { name: `${PRODUCT_SLUG}-1-built`, most: 200 },
  /** Lists of posts, and the calls of the page's frame. */
  results: { name: `${PRODUCT_SLUG}-1-results`, most: 80 },
  /** Opened posts, each with its thread. */
  posts: { name: `${PRODUCT_SLUG}-1-posts`, most: 200 },
  pictures: { name: `${PRODUCT_SLUG}-1-pictures`, most: 200 },
  /** The page's document, without any post. */
  page: { name: `${PRODUCT_SLUG}-1-page`, most: 1 },
} as const;

export type Shelf = keyof typeof SHELVES;

/** The parts of a request that decide where its answer is cached. */
export interface Asked {
  method: string;
  url: string;
  mode: string;
  headers: Pick<Headers, 'has'>;
}

const HASHED = /-[\w-]{8}\.[a-z0-9]{1,5}$/;
const RESULTS = (['listArchives', 'timeline', 'analytics', 'config'] as const).map((name) => ENDPOINTS[name].path);

/** The cache for an answer; null if the worker must not handle the request, as with all personal calls. */
export function shelfOf({ method, url, mode, headers }: Asked, origin: string): Shelf | null {
  const { pathname, origin: host } = new URL(url);
  if (method !== 'GET' || host !== origin || headers.has('Authorization') || headers.has('Range')) return null;
  const isAt = (pattern: string) => isPath(pathname, pattern);
  if (mode === 'navigate') return WEB_ROUTES.some(isAt) ? 'page' : null;
  if (pathname.startsWith('/static/')) return HASHED.test(pathname) ? 'built' : null;
  if (RESULTS.some((path) => path === pathname)) return 'results';
  if (isAt(ENDPOINTS.mediaPreview.path)) return 'pictures';
  if (pathname === ENDPOINTS.exportArchives.path) return null;
  return isAt(ENDPOINTS.getArchive.path) || isAt(ENDPOINTS.getThread.path) ? 'posts' : null;
}

/** Whether an answer may be cached: status 200, and its server calls it public. */
export function mayKeep({ status, type, headers }: Pick<Response, 'status' | 'type' | 'headers'>): boolean {
  return status === 200 && type === 'basic' && !/\b(no-store|private)\b/i.test(headers.get('Cache-Control') ?? '');
}

/** The id of the post that a call asks for; null if it asks for none. */
export function postNamed(url: string): string | null {
  const { pathname } = new URL(url);
  return isPath(pathname, ENDPOINTS.getArchive.path) ? decodeURIComponent(pathname.split('/').at(-1) ?? '') : null;
}

/** Whether a path matches a pattern such as `/a/:b`, where `:b` is any one segment. */
function isPath(path: string, pattern: string): boolean {
  const [given, wanted] = [path.split('/'), pattern.split('/')];
  return (
    given.length === wanted.length &&
    wanted.every((word, at) => (word.startsWith(':') ? given[at] : word === given[at]))
  );
}
