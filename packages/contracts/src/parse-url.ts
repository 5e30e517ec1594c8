/**
 * An address taken apart, or null where it is none; `base` is what a relative one stands in. `URL.canParse` must not be asked
 * before: called often, that of Node 20 takes letters like ü for broken ones and says of `https://müller.example` that it is
 * no address.
 */
export function parseUrl(address: string, base?: string | URL): URL | null {
  try {
    return new URL(address, base);
  } catch {
    return null;
  }
}
