/** The archive's id of a Bluesky post, from its `at://` address; computed independently of the product. */
export function blueskyId(uri: string): string {
  const [, , did = '', , key] = uri.split('/');
  return `bsky-${did.replace('did:plc:', '')}-${key}`;
}
