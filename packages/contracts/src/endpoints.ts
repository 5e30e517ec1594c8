import * as ENDPOINTS from './endpoint-list.ts';

export * as ENDPOINTS from './endpoint-list.ts';

export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
}

ENDPOINTS satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof ENDPOINTS;

/** Paths that the web answers with its own page. Every other path is the API's or a file. */
export const WEB_ROUTES = [
  '/',
  '/post/:id',
  '/author/:handle',
  '/explore',
  '/dashboard',
  '/save',
  '/saves',
  '/collection/:id',
  '/privacy',
  '/programs',
  '/report/:secret',
  '/admin',
  '/admin/:page',
] as const;
