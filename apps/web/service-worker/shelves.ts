import { ENDPOINTS, PRODUCT_SLUG, WEB_ROUTES } from '@archive/contracts';

/** Where something is kept; the first part of its name says how it is written, so that another way begins anew. */
export const SHELVES = {
  /** Scripts, styles and fonts, whose names tell what is in them. */
  built: { name: `${PRODUCT_SLUG}-1-built`, most: 200 },
  /** Pages of results, and what the frame of the page asks for. */
  results: { name: `${PRODUCT_SLUG}-1-results`, most: 80 },
  /** Opened posts, each with its thread. */
  posts: { name: `${PRODUCT_SLUG}-1-posts`, most: 200 },
  pictures: { name: `${PRODUCT_SLUG}-1-pictures`, most: 200 },
  /** The page itself, without any post in it. */
  page: { name: `${PRODUCT_SLUG}-1-page`, most: 1 },
} as const;

export type Shelf = keyof typeof SHELVES;

/** What is asked for, as far as it decides. */
export interface Asked {
  method: string;
  url: string;
  mode: string;
  headers: Pick<Headers, 'has'>;
}

const HASHED = /-[\w-]{8}\.[a-z0-9]{1,5}$/;
const RESULTS = (['listArchives', 'timeline', 'analytics', 'config'] as const).map((name) => ENDPOINTS[name].path);

/** Where an answer is kept; null: it is left alone, as everything is that is told to one person. */
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

/** Whether an answer may be kept: a whole one, which its server says is anybody's. */
export function mayKeep({ status, type, headers }: Pick<Response, 'status' | 'type' | 'headers'>): boolean {
  return status === 200 && type === 'basic' && !/\b(no-store|private)\b/i.test(headers.get('Cache-Control') ?? '');
}

/** The id by which a call names its post; null where it names none. */
export function postNamed(url: string): string | null {
  const { pathname } = new URL(url);
  return isPath(pathname, ENDPOINTS.getArchive.path) ? decodeURIComponent(pathname.split('/').at(-1) ?? '') : null;
}

/** Whether a path is one of `/a/:b`, which stands for `/a/anything`. */
function isPath(path: string, pattern: string): boolean {
  const [given, wanted] = [path.split('/'), pattern.split('/')];
  return (
    given.length === wanted.length &&
    wanted.every((word, at) => (word.startsWith(':') ? given[at] : word === given[at]))
  );
}
