import { CARD_TEXT_LENGTH } from '@archive/contracts';
import { textSize } from '../../lib/text-width.ts';
import buttons from '../../ui/button.module.css';
import { CategoryBead } from '../../ui/category-bead.tsx';
import { StarIcon } from '../../ui/icons.tsx';
import { AuthorLine } from './author-line.tsx';
import { LinkCards } from './link-cards.tsx';
import { PostMedia } from './media/post-media.tsx';
import { OriginalLink } from './original-link.tsx';
import styles from './post-card.module.css';
import { PostOpener } from './post-opener.tsx';
import { PostQuote } from './post-quote.tsx';
import type { PostProps } from './post-slots.ts';
import { PlaceLine } from './reply-line.tsx';

/** A press anywhere on the card opens the post, except on the controls above its surface. */
export function PostCard({ post, terms, reactions, launch }: PostProps) {
  return (
    <article className={styles['card']} data-featured={post.featured}>
      {post.featured && (
        <p className={styles['tab']}>
          <StarIcon size={11} filled /> Featured
        </p>
      )}
      <header className={styles['head']}>
        <AuthorLine post={post} terms={terms.author} size={40} showDate />
        {post.category !== null && <CategoryBead category={post.category} />}
      </header>
      <PlaceLine post={post} />
      <div className={styles['open']}>
        <PostOpener
          post={post}
          terms={terms.content}
          limit={CARD_TEXT_LENGTH}
          className={styles['words']}
          length={textSize(post.content)}
        />
      </div>
      <PostMedia post={post} place="card" />
      <LinkCards post={post} isShort />
      {post.quoted !== null && <PostQuote quoted={post.quoted} />}
      <footer className={styles['foot']}>
        {reactions(post)}
        <span className={styles['actions']}>
          {launch(post)}
          <OriginalLink address={post.url} author={post.author} className={buttons['word']} />
        </span>
      </footer>
    </article>
  );
}

/** A placeholder in the size of a card. */
export function PostCardSkeleton() {
  return (
    <div className={styles['card']} aria-hidden="true">
      <div className={styles['head']}>
        <span className={styles['ghostAuthor']}>
          {ghost('avatar')}
          <span className={styles['ghostLines']}>
            {ghost('name')}
            {ghost('meta')}
          </span>
        </span>
      </div>
      <div className={styles['ghostWords']}>
        {ghost('line')}
        {ghost('line')}
        {ghost('last')}
      </div>
      <div className={styles['foot']}>{ghost('foot')}</div>
    </div>
  );
}

function ghost(part: string) {
  return <span className={styles['ghost']} data-ghost={part} />;
}
