import type { PostDocument } from '../posts/post-document.ts';

/**
 * Whether a kept post came whole from its platform, with all media, so that saving it again brings nothing. False if
 * only an agent says that the post has this id.
 */
export function isWhole({ origin, media = [], aliases = [] }: PostDocument, id: string): boolean {
  const { method, complete = false } = origin?.capture ?? {};
  // An earlier version took equal posts of two authors on Bluesky for one post.
  if (aliases.some((alias) => alias.id === id && (alias.savedBy || method === 'bluesky'))) return false;
  return complete && (method === 'bluesky' || method === 'x-api') && media.every(({ sha256 }) => sha256);
}
