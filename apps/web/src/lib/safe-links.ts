import { PLATFORM_NAMES, platformOf } from '@archive/contracts';

/** The address if it is safe to follow: http or https without user name and password; else null. */
export function safeLink(address: string | null | undefined): string | null {
  const url = parse(address);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  return url.username === '' && url.password === '' ? url.href : null;
}

/** The address of a picture if it is safe to show: archived here, or https from one of the hosts; else null. */
export function safeAvatar(address: string | null | undefined, hosts: readonly string[]): string | null {
  if (/^\/media\/[0-9a-f]{64}(\/preview)?$/.test(address ?? '')) return address ?? null;
  const link = safeLink(address);
  const url = parse(link);
  if (url === null || url.protocol !== 'https:' || url.port !== '') return null;
  return hosts.includes(url.hostname) ? url.href : null;
}

/** The display name of the original's site. */
export function siteName(link: string): string {
  const platform = platformOf(link);
  return platform === 'other' ? new URL(link).hostname.replace(/^www\./, '') : PLATFORM_NAMES[platform];
}

function parse(address: string | null | undefined): URL | null {
  if (address === null || address === undefined) return null;
  return URL.parse(address);
}
