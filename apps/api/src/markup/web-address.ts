import { parseUrl } from '@archive/contracts';

/** Characters of a path that must be encoded, and percent signs that begin no code. */
const TO_ENCODE = /[^\w\-.~!$&'()*+,;=:@/?#%]|%(?![\da-f]{2})/gi;

/** Only http(s) addresses are linked, since other addresses may be scripts. */
export function isWebAddress(url: string): boolean {
  return /^https?:\/\//i.test(url) && parseUrl(url) !== null;
}

/** The address in the strict form of RFC 3986, as feed schemas require it; null for any other address. */
export function strictAddress(url: string): string | null {
  if (!isWebAddress(url)) return null;
  const { href, pathname, search, hash } = new URL(url);
  const start = href.slice(0, href.length - `${pathname}${search}${hash}`.length);
  const fragment = hash === '' ? '' : `#${hash.slice(1).replaceAll('#', '%23')}`;
  return start + `${pathname}${search}${fragment}`.replace(TO_ENCODE, encodeURIComponent);
}
