import type { Post } from '@archive/contracts';
import type { ReactNode } from 'react';
import { formatMoment } from '../../lib/format-moment.ts';
import buttons from '../../ui/button.module.css';
import { CategoryBead } from '../../ui/category-bead.tsx';
import { AuthorLine } from './author-line.tsx';
import { OriginFacts, SavedLine, Versions } from './origin.tsx';
import { OriginalLink } from './original-link.tsx';
import details from './post-details.module.css';
import styles from './post-page-layout.module.css';
import type { PostTerms } from './post-slots.ts';
import { PostWords } from './post-words.tsx';
import { ReplyLine } from './reply-line.tsx';
import { ShareButtons } from './share-buttons.tsx';
import { Thread } from './thread.tsx';
import type { ThreadEntry } from './thread-entries.ts';

interface PostPageLayoutProps {
  post: Post;
  terms: PostTerms;
  /** The post's thread; empty if it has none. */
  entries: readonly ThreadEntry[];
  title: ReactNode;
  band: ReactNode;
  reactions: ReactNode;
  actions: ReactNode;
  report: ReactNode;
  own: ReactNode;
  launchedNote: ReactNode;
  /** Below the text; in a narrow window at the end. */
  more: ReactNode;
}

/** A post on its own page: the text on the left, actions and origin on the right. */
export function PostPageLayout({
  post,
  terms,
  entries,
  title,
  band,
  reactions,
  actions,
  report,
  own,
  launchedNote,
  more,
}: PostPageLayoutProps) {
  const kept = entries.filter((entry) => entry.post !== null).length;
  const isThread = entries.length > 1;
  return (
    <div className={styles['columns']}>
      <article className={styles['said']}>
        {band}
        <div className={styles['inside']}>
          {title}
          <header className={details['head']}>
            <AuthorLine post={post} terms={terms.author} size={46} />
            {isThread ? (
              <p className={styles['count']}>
                <b>A thread of {entries.length}</b>
                {kept < entries.length ? `${kept} kept, ${entries.length - kept} not` : 'all kept'}
              </p>
            ) : (
              post.category !== null && <CategoryBead category={post.category} />
            )}
          </header>
          {isThread ? (
            <Thread
              entries={entries}
              post={post}
              terms={terms.content}
              reactions={<div className={styles['reactions']}>{reactions}</div>}
            />
          ) : (
            <>
              {post.replyTo !== null && <ReplyLine replyTo={post.replyTo} />}
              <div className={details['words']}>
                <PostWords post={post} size="large" terms={terms.content} />
              </div>
              <p className={details['when']}>
                <time dateTime={post.timestamp}>{formatMoment(post.timestamp)}</time>
                <OriginalLink address={post.url} author={post.author} className="word-link" long />
              </p>
              {reactions}
            </>
          )}
          <Versions versions={post.versions} />
        </div>
      </article>
      <aside className={styles['about']} aria-label="About this post">
        <div className="panel">
          <div className={styles['actions']}>{actions}</div>
          <div className={styles['share']}>
            <ShareButtons post={post} className={buttons['word']} isLong />
            {report}
          </div>
        </div>
        <section className="panel">
          <h2>How it came here</h2>
          <p className={styles['saved']}>
            <SavedLine post={post} />
          </p>
          <OriginFacts post={post} />
          {own}
          {launchedNote}
        </section>
      </aside>
      <div className={styles['more']}>{more}</div>
    </div>
  );
}
