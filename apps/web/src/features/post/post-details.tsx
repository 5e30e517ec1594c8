import { type Post, UNCATEGORIZED } from '@archive/contracts';
import type { ReactNode } from 'react';
import { formatDay, shorten } from '../../lib/format.ts';
import { formatMoment } from '../../lib/format-moment.ts';
import { CategoryBead } from '../../ui/category-bead.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Fact, Facts } from '../../ui/facts.tsx';
import { CheckIcon, StarIcon } from '../../ui/icons.tsx';
import { writingProps } from '../../ui/post-text.tsx';
import { AuthorLine } from './author-line.tsx';
import { metadataEntries } from './metadata-entries.ts';
import { OriginalLink } from './original-link.tsx';
import styles from './post-details.module.css';
import { PostQuote } from './post-quote.tsx';
import { ReplyLine } from './reply-line.tsx';

interface PostDetailsProps {
  post: Post;
  reactions: ReactNode;
  /** What is said where a token came from this post. */
  launchedNote: ReactNode;
}

export function PostDetails({ post, reactions, launchedNote }: PostDetailsProps) {
  const idName = post.platform === 'bluesky' ? 'Post' : 'Tweet';
  return (
    <div className={styles['details']}>
      <div className={styles['head']}>
        <AuthorLine post={post} terms={[]} size={46} />
        <CategoryBead category={post.category} />
      </div>
      {post.replyTo !== null && <ReplyLine replyTo={post.replyTo} />}
      {post.content !== '' && (
        <p className={styles['words']} {...writingProps(post.content)}>
          {post.content}
        </p>
      )}
      {post.quoted !== null && (
        <div className={styles['quote']}>
          <PostQuote quoted={post.quoted} />
        </div>
      )}
      <p className={styles['when']}>
        <time dateTime={post.timestamp}>{formatMoment(post.timestamp)}</time>
        <OriginalLink address={post.url} author={post.author} className="word-link" long />
      </p>
      {reactions}
      <div className={styles['facts']}>
        <Facts>
          <Fact term={`${idName} ID`}>
            <span className={styles['id']}>
              {post.id}
              <CopyButton text={post.id} label={`Copy ${idName.toLowerCase()} ID`} />
            </span>
          </Fact>
          <Fact term="Category">{post.category ?? UNCATEGORIZED}</Fact>
          <Fact term="Saved">
            <time dateTime={post.savedAt}>{formatDay(post.savedAt)}</time>
            {post.savedBy.handle !== undefined && (
              <>
                {' '}
                at the request of <bdi>@{post.savedBy.handle}</bdi>
              </>
            )}
          </Fact>
          {metadataEntries(post.metadata).map(({ path, label, value }) => (
            <Fact key={path} term={<bdi>{label}</bdi>}>
              <bdi>{value}</bdi>
            </Fact>
          ))}
        </Facts>
      </div>
      {post.launched && (
        <p className={styles['launched']}>
          <CheckIcon />
          {launchedNote}
        </p>
      )}
    </div>
  );
}

/** Says in gold who featured the post. */
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
