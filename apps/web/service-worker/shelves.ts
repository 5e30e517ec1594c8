import { ENDPOINTS, PRODUCT_SLUG, WEB_ROUTES } from '@archive/contracts';

/** Where something is kept; the first part of its name says how it is written, so that another way begins anew. */
export const SHELVES = {
  /** Scripts, styles and fonts, whose names tell what is in them. */
  built: { name: `${PRODUCT_SLUG}-1-built`, most: 200 },
  /** Pages of results, and what the frame of the page asks for. */
  results: { name: `${PRODUCT_SLUG}-1-results`, most: 40 },
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

const HASHED = /^\/static\/.*-[\w-]{8}\.[a-z0-9]+$/;
const POST = patternOf(ENDPOINTS.getArchive.path);
const OF_POSTS = [POST, patternOf(ENDPOINTS.getThread.path)];
const PREVIEW = patternOf(ENDPOINTS.mediaPreview.path);
const PAGES = WEB_ROUTES.map(patternOf);
const RESULTS: readonly string[] = [ENDPOINTS.listArchives.path, ENDPOINTS.analytics.path, ENDPOINTS.config.path];
const OTHERS: readonly string[] = [ENDPOINTS.exportArchives.path];

/** Where an answer is kept; null: it is left alone, as everything is that is told to one person. */
export function shelfOf({ method, url, mode, headers }: Asked, origin: string): Shelf | null {
  const { pathname, origin: host } = new URL(url);
  if (method !== 'GET' || host !== origin || headers.has('Authorization') || headers.has('Range')) return null;
  if (mode === 'navigate') return PAGES.some((page) => page.test(pathname)) ? 'page' : null;
  if (HASHED.test(pathname)) return 'built';
  if (RESULTS.includes(pathname)) return 'results';
  if (PREVIEW.test(pathname)) return 'pictures';
  return !OTHERS.includes(pathname) && OF_POSTS.some((path) => path.test(pathname)) ? 'posts' : null;
}

/** Whether an answer may be kept: a whole one, which its server says is anybody's. */
export function mayKeep({ status, type, headers }: Pick<Response, 'status' | 'type' | 'headers'>): boolean {
  return status === 200 && type === 'basic' && !/\b(no-store|private)\b/i.test(headers.get('Cache-Control') ?? '');
}

/** The id by which a call names its post; null where it names none. */
export function postNamed(url: string): string | null {
  const named = POST.exec(new URL(url).pathname)?.[1];
  return named === undefined ? null : decodeURIComponent(named);
}

/** `/a/:b` as what matches `/a/anything`. */
function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replace(/:\w+/g, '([^/]+)')}$`);
}
