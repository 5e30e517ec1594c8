/**
 * Parses an address; null if it is not valid. `base` resolves a relative address. Do not call `URL.canParse` before:
 * after many calls, that of Node 20 takes letters like ü for invalid and rejects `https://müller.example`.
 */
export function parseUrl(address: string, base?: string | URL): URL | null {
  try {
    return new URL(address, base);
  } catch {
    return null;
  }
}
