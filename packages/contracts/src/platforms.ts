import { parseUrl } from './parse-url.ts';

/** Where posts are written; `other` is every other source of imported posts. */
export const PLATFORMS = ['x', 'bluesky', 'other'] as const;
export type Platform = (typeof PLATFORMS)[number];

/** Display names. */
export const PLATFORM_NAMES: Record<Exclude<Platform, 'other'>, string> = { x: 'X', bluesky: 'Bluesky' };

/**
 * Bluesky shows this handle for every account whose handle does not resolve back to it. So it identifies no account.
 */
export const NO_HANDLE = 'handle.invalid';

/** A map, because a host name may equal a property that every object has. */
const HOSTS = new Map<string, Platform>([
  ['x.com', 'x'],
  ['www.x.com', 'x'],
  ['mobile.x.com', 'x'],
  ['twitter.com', 'x'],
  ['www.twitter.com', 'x'],
  ['mobile.twitter.com', 'x'],
  ['bsky.app', 'bluesky'],
]);

/** Which platform a post's address leads to. */
export function platformOf(address: string): Platform {
  return HOSTS.get(parseUrl(address)?.hostname ?? '') ?? 'other';
}

/** Paths of post links. On Bluesky: a DID of 24 characters and a record key (a timestamp) of 13. */
const LINKS: Partial<Record<Platform, RegExp>> = {
  x: /^\/(?:[A-Za-z0-9_]{1,15}|i\/web)\/status\/(\d{1,19})(?:\/(?:photo|video)\/\d)?\/?$/,
  bluesky: /^\/profile\/did:plc:([a-z2-7]{24})\/post\/([a-z2-7]{13})\/?$/,
};
const RECORD = /^at:\/\/did:plc:([a-z2-7]{24})\/app\.bsky\.feed\.post\/([a-z2-7]{13})$/;

/**
 * The archive's id of a post, from its link: a link of x.com, a link of bsky.app with the author's DID, or an `at://`
 * address. Null for any other text.
 */
export function idOfLink(link: string): string | null {
  const record = RECORD.exec(link);
  if (record) return blueskyId(record);
  const url = /^https?:\/\//i.test(link) ? parseUrl(link) : null;
  const found = url && LINKS[platformOf(link)]?.exec(url.pathname);
  if (!found) return null;
  return found.length === 2 ? (found[1] as string) : blueskyId(found);
}

/**
 * Whether a post with this address can be the one that a reference to `id` means. The address must contain the id or,
 * if it names the author by handle, at least the record key.
 */
export function isPostOf(address: string, id: string): boolean {
  const named = idOfLink(address);
  if (named !== null || platformOf(address) === 'other') return named === id;
  const [, key] = /^\/profile\/[^/]+\/post\/([a-z2-7]{13})\/?$/.exec(new URL(address).pathname) ?? [];
  return key !== undefined && id.endsWith(`-${key}`);
}

function blueskyId([, author, key]: RegExpExecArray): string {
  return `bsky-${author}-${key}`;
}

/** Hosts from which the platforms serve pictures and videos. */
export const MEDIA_HOSTS: Record<Exclude<Platform, 'other'>, readonly string[]> = {
  x: ['pbs.twimg.com', 'video.twimg.com'],
  bluesky: ['cdn.bsky.app', 'video.bsky.app', 'video.cdn.bsky.app'],
};

/**
 * Whether the server may fetch media from this address: https on a platform's own host, without port or credentials.
 */
export function isMediaAddress(address: string): boolean {
  const url = parseUrl(address);
  if (!url) return false;
  const { protocol, username, password, port, hostname } = url;
  if (protocol !== 'https:' || username !== '' || password !== '' || port !== '') return false;
  return Object.values(MEDIA_HOSTS).flat().includes(hostname);
}
