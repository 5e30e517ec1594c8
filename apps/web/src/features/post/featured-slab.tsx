import { CARD_TEXT_LENGTH } from '@archive/contracts';
import { shorten } from '../../lib/format.ts';
import { Ago } from '../../ui/ago.tsx';
import buttons from '../../ui/button.module.css';
import { StarIcon } from '../../ui/icons.tsx';
import { AuthorLine } from './author-line.tsx';
import styles from './featured-slab.module.css';
import { Thumbnail } from './media/thumbnail.tsx';
import { OriginalLink } from './original-link.tsx';
import { PostOpener } from './post-opener.tsx';
import { PostQuote } from './post-quote.tsx';
import type { PostProps } from './post-slots.ts';

interface FeaturedSlabProps extends Omit<PostProps, 'launch'> {
  /** Whether the slab is above search results: then the keys skip it. */
  isAside: boolean;
}

/** The featured post at the top of a list. */
export function FeaturedSlab({ post, terms, reactions, isAside }: FeaturedSlabProps) {
  return (
    <article className={styles['slab']} aria-label="Featured post" data-aside={isAside}>
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
        <Ago at={post.timestamp} />
      </header>
      <div className={styles['open']}>
        <PostOpener post={post} terms={terms.content} limit={CARD_TEXT_LENGTH} className={styles['words']} />
        {!post.sensitive && <Thumbnail media={post.media[0]} className={styles['picture']} />}
      </div>
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
