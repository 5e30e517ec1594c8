import type { Post } from '@archive/contracts';
import type { ReactNode } from 'react';
import { shorten } from '../../lib/format.ts';
import { formatMoment } from '../../lib/format-moment.ts';
import { postHref } from '../../lib/routes.ts';
import { CategoryBead } from '../../ui/category-bead.tsx';
import { CheckIcon, StarIcon } from '../../ui/icons.tsx';
import { Link } from '../../ui/link.tsx';
import { AuthorLine } from './author-line.tsx';
import { OriginFacts, SavedLine, Versions } from './origin.tsx';
import { OriginalLink } from './original-link.tsx';
import styles from './post-details.module.css';
import type { PostTerms } from './post-slots.ts';
import { PostWords } from './post-words.tsx';
import { PlaceLine } from './reply-line.tsx';

interface PostDetailsProps {
  post: Post;
  terms: PostTerms;
  reactions: ReactNode;
  report: ReactNode;
  own: ReactNode;
  launchedNote: ReactNode;
  /** The query string of the post's own page, with its question mark. */
  query: string;
}

/** A post in a dialog over the list it was opened from. */
export function PostDetails({ post, terms, reactions, report, own, launchedNote, query }: PostDetailsProps) {
  return (
    <div className={styles['details']}>
      <div className={styles['head']}>
        <AuthorLine post={post} terms={terms.author} size={46} />
        {post.category !== null && <CategoryBead category={post.category} />}
      </div>
      <PlaceLine post={post} />
      <div className={styles['words']}>
        <PostWords post={post} size="large" terms={terms.content} />
      </div>
      <p className={styles['when']}>
        <time dateTime={post.timestamp}>{formatMoment(post.timestamp)}</time>
        <OriginalLink address={post.url} author={post.author} className="word-link" long />
      </p>
      <div className={styles['react']}>
        {reactions}
        {report}
      </div>
      <p className={styles['when']}>
        <span>
          <SavedLine post={post} />
        </span>
        <Link href={`${postHref(post._id)}${query}`} className="word-link">
          {post.thread === null
            ? 'All about this post'
            : `All of the thread, ${post.thread.position} of ${post.thread.length}`}
        </Link>
      </p>
      <Versions versions={post.versions} />
      <div className={styles['facts']}>
        <OriginFacts post={post} />
      </div>
      {own}
      {launchedNote}
    </div>
  );
}

/** Says who featured the post. */
export function FeaturedBand({ post }: { post: Post }) {
  if (!post.featured) return null;
  return (
    <p className={styles['band']}>
      <StarIcon size={14} filled />
      <b>Featured</b>
      {post.payee !== null ? (
        <>
          paid for by <span className={styles['wallet']}>{shorten(post.payee)}</span>
        </>
      ) : (
        'by the team'
      )}
    </p>
  );
}

/** A line about the token that was launched from the post. */
export function LaunchedLine({ children }: { children: ReactNode }) {
  return (
    <p className={styles['launched']}>
      <CheckIcon />
      {children}
    </p>
  );
}
