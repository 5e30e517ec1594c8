import type { NewPost } from '@archive/contracts/schemas';

/** The id of the author's own post that this post answers; null if it answers another author's post or no post. */
export function ownReplyTo({ id, authorUsername, replyTo }: NewPost): string | null {
  if (!replyTo) return null;
  const author = /^bsky-([a-z2-7]{24})-/;
  const isOwn =
    replyTo.platform === 'bluesky'
      ? author.exec(id)?.[1] !== undefined && author.exec(id)?.[1] === author.exec(replyTo.id)?.[1]
      : replyTo.platform === 'x' && handleIn(replyTo.url) === authorUsername.toLowerCase();
  return isOwn ? replyTo.id : null;
}

function handleIn(url: string): string | undefined {
  return new URL(url).pathname.split('/')[1]?.toLowerCase();
}
