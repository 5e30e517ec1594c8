import type { Post } from '@archive/contracts';
import type { ReactNode } from 'react';
import { useAnswer } from '../../lib/api.ts';
import { formatMoment } from '../../lib/format-moment.ts';
import { postHref } from '../../lib/routes.ts';
import { Avatar } from '../../ui/avatar.tsx';
import buttons from '../../ui/button.module.css';
import { ChevronLeftIcon, ChevronRightIcon } from '../../ui/icons.tsx';
import { Link } from '../../ui/link.tsx';
import { PostText, writingProps } from '../../ui/post-text.tsx';
import { useNewestOf } from './more-from-author.tsx';
import styles from './post-neighbours.module.css';
import { plainWords } from './text-links.ts';

/** Graphemes: about two lines. */
const WORDS_LENGTH = 110;

/** The archived posts before and after a post in time; undefined while loading and after a failure. */
function useNeighbours(id: string) {
  const { data } = useAnswer('getNeighbours', { params: { id } });
  return data;
}

/** Links above a post on its own page to the newer and the older post, in the order of a list with the newest first. */
export function NeighbourSteps({ id }: { id: string }) {
  const neighbours = useNeighbours(id);
  const hrefTo = (post: Post | null | undefined) => (post ? postHref(post._id) : null);
  return <PageSteps label="Posts by time" previous={hrefTo(neighbours?.after)} next={hrefTo(neighbours?.before)} />;
}

/** Links above a post on its own page, which the keys of a list press. */
export function PageSteps({ label, ...hrefs }: { label: string; previous: string | null; next: string | null }) {
  const step = (by: 'previous' | 'next', children: ReactNode) =>
    hrefs[by] !== null && (
      <Link href={hrefs[by]} className={buttons['plain']} data-step={by}>
        {children}
      </Link>
    );
  return (
    <nav className={styles['steps']} aria-label={label}>
      {step(
        'previous',
        <>
          <ChevronLeftIcon />
          Previous{' '}
          <span className={styles['key']} aria-hidden="true">
            k
          </span>
        </>,
      )}
      {step(
        'next',
        <>
          Next{' '}
          <span className={styles['key']} aria-hidden="true">
            j
          </span>
          <ChevronRightIcon />
        </>,
      )}
    </nav>
  );
}

/** The posts before and after a post in time, below it on its own page, in the order of the links above. */
export function NeighbourWords({ post }: { post: Post }) {
  const neighbours = useNeighbours(post._id);
  // Waits for the author's posts, which are above, so that nothing moves.
  const { isLoading } = useNewestOf(post.authorUsername);
  if (isLoading) return <div className="shell-fill" />;
  if (neighbours === undefined) return null;
  // Posts of its thread are already above.
  const outside = (other: Post | null) => (isOfThread(other, post) ? null : other);
  const [before, after] = [outside(neighbours.before), outside(neighbours.after)];
  if (before === null && after === null) return null;
  return (
    <aside className={styles['neighbours']} aria-label="At that time">
      {neighbour(after, 'after')}
      {neighbour(before, 'before')}
    </aside>
  );
}

function isOfThread(other: Post | null, { thread }: Post): boolean {
  return thread !== null && other?.thread?.root === thread.root;
}

function neighbour(post: Post | null, side: 'before' | 'after') {
  if (post === null) return <span />;
  return (
    <Link href={postHref(post._id)} className={styles['neighbour']} data-side={side}>
      <span className={styles['side']}>
        {side === 'after' && <ChevronLeftIcon size={13} />}
        Just {side}
        {side === 'before' && <ChevronRightIcon size={13} />}
      </span>
      <span className={styles['words']} {...writingProps(post.content)}>
        <PostText text={plainWords(post)} terms={[]} limit={WORDS_LENGTH} />
      </span>
      <span className={styles['by']}>
        <Avatar name={post.author} handle={post.authorUsername} address={post.authorAvatar} size={22} />
        <bdi className="one-line">{post.author}</bdi>
        <span aria-hidden="true">·</span>
        <time dateTime={post.timestamp}>{formatMoment(post.timestamp)}</time>
      </span>
    </Link>
  );
}
