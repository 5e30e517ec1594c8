import type { Post, Reference } from '@archive/contracts';
import { handleOf } from '../../lib/handle-of.ts';

/** A post of a thread, or one that was between them and is not kept. */
export type ThreadEntry = { post: Post; missing: null } | { post: null; missing: Reference };

/** A thread in order, with what is missing told from the posts that go on from it. */
export function threadEntries(posts: readonly Post[]): ThreadEntry[] {
  const seen = new Set<string>();
  return posts.flatMap((post) => {
    const { replyTo } = post;
    const isGap = replyTo !== null && !seen.has(replyTo.id) && isOwn(replyTo, post);
    if (isGap) seen.add(replyTo.id);
    seen.add(post.id);
    const entry: ThreadEntry = { post, missing: null };
    return isGap ? [{ post: null, missing: replyTo }, entry] : [entry];
  });
}

/** Whether both are by the same author. On Bluesky an address may name them by DID. */
function isOwn(reference: Reference, { platform, authorId, authorUsername }: Post): boolean {
  if (reference.platform !== platform) return false;
  const handle = handleOf(reference);
  if (handle !== null) return handle.toLowerCase() === authorUsername.toLowerCase();
  return authorId !== null && reference.url.includes(`/${authorId}/`);
}
