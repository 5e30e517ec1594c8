import { PLATFORM_NAMES, platformOf } from '@archive/contracts';

/** The address if it may be followed: http or https, without a name and password in it; else null. */
export function safeLink(address: string | null | undefined): string | null {
  const url = parse(address);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  return url.username === '' && url.password === '' ? url.href : null;
}

/** The address of a picture if it may be shown: kept here, or https from one of the hosts; else null. */
export function safeAvatar(address: string | null | undefined, hosts: readonly string[]): string | null {
  if (/^\/media\/[0-9a-f]{64}(\/preview)?$/.test(address ?? '')) return address ?? null;
  const link = safeLink(address);
  const url = parse(link);
  if (url === null || url.protocol !== 'https:' || url.port !== '') return null;
  return hosts.includes(url.hostname) ? url.href : null;
}

/** What the original's site is called by people. */
export function siteName(link: string): string {
  const platform = platformOf(link);
  return platform === 'other' ? new URL(link).hostname.replace(/^www\./, '') : PLATFORM_NAMES[platform];
}

function parse(address: string | null | undefined): URL | null {
  if (address === null || address === undefined) return null;
  return URL.parse(address);
}
