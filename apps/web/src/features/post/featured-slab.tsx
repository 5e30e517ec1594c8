import { CARD_TEXT_LENGTH } from '@archive/contracts';
import { formatDay, shorten } from '../../lib/format.ts';
import buttons from '../../ui/button.module.css';
import { StarIcon } from '../../ui/icons.tsx';
import { PostLink } from '../../ui/post-link.tsx';
import { PostText, writingProps } from '../../ui/post-text.tsx';
import { AuthorLine } from './author-line.tsx';
import styles from './featured-slab.module.css';
import { Thumbnail } from './media/thumbnail.tsx';
import { OriginalLink } from './original-link.tsx';
import { PostQuote } from './post-quote.tsx';
import type { PostProps } from './post-slots.ts';

/** The featured post, in resin. */
export function FeaturedSlab({ post, terms, reactions }: Omit<PostProps, 'launch'>) {
  return (
    <article className={styles['slab']} aria-label="Featured post">
      <header className={styles['head']}>
        <p className={styles['label']}>
          <StarIcon size={13} filled />
          {post.featuredBy === 'payment' && post.payee !== null ? (
            <>
              Featured, paid for by <span className={styles['wallet']}>{shorten(post.payee)}</span>
            </>
          ) : (
            'Featured by the team'
          )}
        </p>
        <time dateTime={post.timestamp}>{formatDay(post.timestamp)}</time>
      </header>
      <PostLink id={post._id} className={styles['open']} isStop>
        <span className={styles['words']} {...writingProps(post.content)}>
          <PostText text={post.content} terms={terms.content} limit={CARD_TEXT_LENGTH} />
        </span>
        {!post.sensitive && <Thumbnail media={post.media[0]} className={styles['picture']} />}
      </PostLink>
      {post.quoted !== null && <PostQuote quoted={post.quoted} />}
      <footer className={styles['foot']}>
        <AuthorLine post={post} terms={terms.author} size={46} />
        <span className={styles['actions']}>
          {reactions(post)}
          <OriginalLink address={post.url} author={post.author} className={`${buttons['word']} ${styles['view']}`} />
        </span>
      </footer>
    </article>
  );
}

export function FeaturedSlabSkeleton() {
  return <div className={styles['slab']} data-empty="true" aria-hidden="true" />;
}
