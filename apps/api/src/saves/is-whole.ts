import type { PostDocument } from '../posts/post-document.ts';

/** Whether a kept post was taken whole from its platform, with all of its media: saving it again could bring nothing. */
export function isWhole({ origin, media = [] }: PostDocument): boolean {
  const { method, complete = false } = origin?.capture ?? {};
  return complete && (method === 'bluesky' || method === 'x-api') && media.every(({ sha256 }) => sha256);
}
