import type { PostDocument } from '../posts/post-document.ts';

/**
 * Whether a kept post was taken whole from its platform, with all of its media: saving it again could bring nothing. Not
 * where only an agent says that it is the one of this id.
 */
export function isWhole({ origin, media = [], aliases = [] }: PostDocument, id: string): boolean {
  if (aliases.some((alias) => alias.id === id && alias.savedBy)) return false;
  const { method, complete = false } = origin?.capture ?? {};
  return complete && (method === 'bluesky' || method === 'x-api') && media.every(({ sha256 }) => sha256);
}
