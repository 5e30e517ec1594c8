import type { Reference } from '@archive/contracts';
import { formatDay } from '../../lib/format.ts';
import { safeLink, siteName } from '../../lib/safe-links.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { PlatformMark } from '../../ui/platform-mark.tsx';
import { PostLink } from '../../ui/post-link.tsx';
import { PostText, writingProps } from '../../ui/post-text.tsx';
import { Thumbnail } from './media/thumbnail.tsx';
import styles from './post-quote.module.css';

/** Graphemes: about three lines. */
const QUOTE_LENGTH = 140;

const GONE: Record<Reference['state'], string> = {
  kept: '',
  deleted: 'It quotes a post that its author deleted.',
  protected: 'It quotes a post that only its author’s followers see.',
  unknown: 'It quotes a post that is not kept here.',
};

/** The archived post that another one quotes, or a line that says why it is missing. */
export function PostQuote({ quoted }: { quoted: Reference }) {
  const { post } = quoted;
  if (post === null) {
    const link = quoted.state === 'unknown' ? safeLink(quoted.url) : null;
    return (
      <p className={styles['gone']}>
        {GONE[quoted.state]}
        {link !== null && (
          <a href={link} target="_blank" rel="noopener noreferrer" className="word-link">
            View on {siteName(link)}
            <span className="visually-hidden">, in a new tab</span>
          </a>
        )}
      </p>
    );
  }
  return (
    <blockquote className={styles['quote']}>
      <p className={styles['head']}>
        <Avatar name={post.author} handle={post.authorUsername} address={post.authorAvatar} size={22} />
        <bdi className={styles['name']}>{post.author}</bdi>
        <PlatformMark platform={quoted.platform} />
        <span className={styles['meta']}>
          <bdi>@{post.authorUsername}</bdi>
          <span aria-hidden="true"> · </span>
          <time dateTime={post.timestamp}>{formatDay(post.timestamp)}</time>
        </span>
      </p>
      <PostLink id={post._id} className={styles['open']}>
        <span className={styles['words']} {...writingProps(post.content)}>
          <PostText text={post.content} terms={[]} limit={QUOTE_LENGTH} />
        </span>
        <Thumbnail media={post.media[0]} className={styles['thumbnail']} />
      </PostLink>
    </blockquote>
  );
}
