import type { Post, Reference } from '@archive/contracts';
import { handleOf } from '../../lib/handle-of.ts';

/** A post of a thread, or a reference to one that is not archived. */
export type ThreadEntry = { post: Post; missing: null } | { post: null; missing: Reference };

/** A thread in order. Missing posts are inferred from the posts that reply to them. */
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

/** Whether the same author wrote both. On Bluesky an address may contain the author's DID. */
function isOwn(reference: Reference, { platform, authorId, authorUsername }: Post): boolean {
  if (reference.platform !== platform) return false;
  const handle = handleOf(reference);
  if (handle !== null) return handle.toLowerCase() === authorUsername.toLowerCase();
  return authorId !== null && reference.url.includes(`/${authorId}/`);
}
