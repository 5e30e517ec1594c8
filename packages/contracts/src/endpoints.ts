import { PRODUCT_SLUG } from './product.ts';

export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  /** Older paths that reach the same handler. */
  legacy?: readonly string[];
}

const base = `/${PRODUCT_SLUG}`;

/** Every call, once. Literal paths stand before those with `:id`, so that they win. */
export const ENDPOINTS = {
  config: { method: 'GET', path: `${base}/config` },
  listArchives: { method: 'GET', path: `${base}/archives`, legacy: [`/launches${base}`] },
  exportArchives: { method: 'GET', path: `${base}/archives/export` },
  ingestArchives: { method: 'POST', path: `${base}/archives` },
  getArchive: { method: 'GET', path: `${base}/archives/:id` },
  analytics: { method: 'GET', path: `${base}/analytics`, legacy: [`/launches${base}/analytics`] },
  launchInfo: { method: 'GET', path: '/launches/:id' },
  getReactions: { method: 'GET', path: `${base}/reactions/:id`, legacy: ['/archives/reactions/:id'] },
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof ENDPOINTS;

/** Words that are literal segments of a route and so can never be a post's id. */
export const RESERVED_IDS: ReadonlySet<string> = new Set([
  PRODUCT_SLUG,
  'analytics',
  'archives',
  'check',
  'config',
  'credits',
  'export',
  'feature',
  'launch',
  'launches',
  'reactions',
  'token',
  'use',
  'user',
  'verify',
  'wallet',
]);

/** Paths the web answers with its own page; everything else is the API's or a file. */
export const WEB_ROUTES = ['/', '/post/:id', '/author/:handle', '/dashboard'] as const;
