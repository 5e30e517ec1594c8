import type { Post, Reference } from '@archive/contracts';
import { handleOf } from '../../lib/handle-of.ts';
import { ReplyIcon } from '../../ui/icons.tsx';
import { PostLink } from '../../ui/post-link.tsx';
import styles from './reply-line.module.css';

/** The post's place in its author's thread, or the post that it answers; nothing for any other post. */
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

/** The author of the answered post, as a link if that post is archived. */
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
