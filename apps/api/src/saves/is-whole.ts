import type { PostDocument } from '../posts/post-document.ts';

/**
 * Whether a kept post was taken whole from its platform, with all of its media: saving it again could bring nothing. Not
 * where only an agent says that it is the one of this id.
 */
export function isWhole({ origin, media = [], aliases = [] }: PostDocument, id: string): boolean {
  const { method, complete = false } = origin?.capture ?? {};
  // A version before took the same words of two authors on Bluesky for one post.
  if (aliases.some((alias) => alias.id === id && (alias.savedBy || method === 'bluesky'))) return false;
  return complete && (method === 'bluesky' || method === 'x-api') && media.every(({ sha256 }) => sha256);
}
