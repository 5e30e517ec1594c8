import { parseUrl } from '@archive/contracts';

/** What stands for itself behind the host of an address, and a sign of percent that begins no code. */
const TO_ENCODE = /[^\w\-.~!$&'()*+,;=:@/?#%]|%(?![\da-f]{2})/gi;

/** Nothing else is linked: an address may be a script. */
export function isWebAddress(url: string): boolean {
  return /^https?:\/\//i.test(url) && parseUrl(url) !== null;
}

/** The same address with nothing in it that RFC 3986 does not allow, as schemas of feeds want it; null for any other. */
export function strictAddress(url: string): string | null {
  if (!isWebAddress(url)) return null;
  const { href, pathname, search, hash } = new URL(url);
  const start = href.slice(0, href.length - `${pathname}${search}${hash}`.length);
  const fragment = hash === '' ? '' : `#${hash.slice(1).replaceAll('#', '%23')}`;
  return start + `${pathname}${search}${fragment}`.replace(TO_ENCODE, encodeURIComponent);
}
