import type { Post, Reference } from '@archive/contracts';
import { handleOf } from '../../lib/handle-of.ts';
import { ReplyIcon } from '../../ui/icons.tsx';
import { PostLink } from '../../ui/post-link.tsx';
import styles from './reply-line.module.css';

/** Where a post stands in its author's thread, else whom it answers; nothing of a post that stands alone. */
export function PlaceLine({ post: { thread, replyTo } }: { post: Post }) {
  if (thread !== null && thread.length > 1) {
    return (
      <p className={styles['reply']}>
        {thread.position} of {thread.length} in a thread
      </p>
    );
  }
  return replyTo && <ReplyLine replyTo={replyTo} />;
}

/** Whom a post answers; a link where that post is kept too. */
export function ReplyLine({ replyTo }: { replyTo: Reference }) {
  const handle = handleOf(replyTo);
  const whom = handle === null ? 'a post' : <bdi>@{handle}</bdi>;
  return (
    <p className={styles['reply']}>
      <ReplyIcon size={13} />
      <span>
        Replying to {replyTo.archiveId === null ? <b>{whom}</b> : <PostLink id={replyTo.archiveId}>{whom}</PostLink>}
      </span>
    </p>
  );
}
