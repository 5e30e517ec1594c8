/** What the archive calls a post of Bluesky, by its record's `at://` address; found apart from the product's own way. */
export function blueskyId(uri: string): string {
  const [, , did = '', , key] = uri.split('/');
  return `bsky-${did.replace('did:plc:', '')}-${key}`;
}
