import type { Reference } from '@archive/contracts';
import { handleOf } from '../../lib/handle-of.ts';
import { ReplyIcon } from '../../ui/icons.tsx';
import { PostLink } from '../../ui/post-link.tsx';
import styles from './reply-line.module.css';

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
