import { WEB_ROUTES } from '@archive/contracts';

export type Route = (typeof WEB_ROUTES)[number];

const ROUTES = WEB_ROUTES.map((route) => ({ route, pattern: new RegExp(`^${route.replace(/:\w+/, '([^/]+)')}$`) }));

/** The links of the bar and the menu. */
export const NAV_LINKS = [
  { href: '/', label: 'Archive' },
  { href: '/explore', label: 'Explore' },
  { href: '/save', label: 'Save' },
  { href: '/dashboard', label: 'Dashboard' },
] as const satisfies { href: Route; label: string }[];

/** Whether a link of the bar leads to the current page or to its parent. */
export function isCurrent(href: string, path: string): boolean {
  return path === href || (href === '/save' && path === '/saves');
}

/** Whether the page of a path has its own search field. */
export function hasOwnSearch(path: string): boolean {
  return path === '/' || /^\/(author|admin)(\/|$)/.test(path);
}

/** Whether the path belongs to the operators' pages. */
export function isAdminPath(path: string): boolean {
  return /^\/admin(\/|$)/.test(path);
}

/** The route of a path, or null for an unknown page, and the decoded name in it. */
export function matchRoute(path: string): { route: Route | null; name: string } {
  for (const { route, pattern } of ROUTES) {
    const match = pattern.exec(path);
    if (match === null) continue;
    const name = decode(match[1] ?? '');
    // Cards and people write `@name`.
    return { route, name: route === '/author/:handle' ? name.replace(/^@/, '') : name };
  }
  return { route: null, name: '' };
}

export function postHref(id: string): string {
  return fill('/post/:id', id);
}

export function authorHref(handle: string): string {
  return fill('/author/:handle', handle);
}

export function collectionHref(id: string): string {
  return fill('/collection/:id', id);
}

function fill(route: Route, name: string): string {
  return route.replace(/:\w+/, encodeURIComponent(name));
}

/** Decodes a path segment. An invalid one is returned unchanged. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
