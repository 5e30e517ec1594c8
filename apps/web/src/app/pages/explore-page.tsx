import { isServerDown } from '@archive/client';
import { CARD_TEXT_LENGTH, type Explore, PRODUCT_NAME } from '@archive/contracts';
import type { ReactNode } from 'react';
import { archiveHref } from '../../features/explore/archive-href.ts';
import { ActiveAuthors, NewAuthors } from '../../features/explore/author-lists.tsx';
import { CategoryMonths } from '../../features/explore/category-months.tsx';
import { formatLongMonth, posts } from '../../features/explore/explore-words.ts';
import { Languages } from '../../features/explore/languages.tsx';
import lists from '../../features/explore/lists.module.css';
import { RandomPost } from '../../features/explore/random-post.tsx';
import { SameDay } from '../../features/explore/same-day.tsx';
import { AuthorLine } from '../../features/post/author-line.tsx';
import { Thumbnail } from '../../features/post/media/thumbnail.tsx';
import { PostGrid } from '../../features/post/post-grid.tsx';
import { PostOpener } from '../../features/post/post-opener.tsx';
import { NO_TERMS } from '../../features/post/post-slots.ts';
import { useAnswer } from '../../lib/api.ts';
import { formatCount } from '../../lib/format.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { BlankPage } from '../../ui/blank-page.tsx';
import buttons from '../../ui/button.module.css';
import { Link } from '../../ui/link.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Maintenance } from '../maintenance.tsx';
import styles from './explore-page.module.css';
import { postSlots } from './list-section.tsx';

/** Entry points into the archive for visitors without a search in mind. */
export function ExplorePage() {
  usePageTitle(`Explore, ${PRODUCT_NAME}`);
  const { data, error, mutate } = useAnswer('explore', {});
  if (isServerDown(error) && data === undefined) return <Maintenance onRetry={() => void mutate()} />;
  if (data?.total === 0) {
    return (
      <BlankPage title="Nothing to explore yet" text="The archive holds no post. The first one can be yours." pale>
        <Link href="/save" className={buttons['primary']}>
          Save a post
        </Link>
      </BlankPage>
    );
  }
  return (
    <>
      <header className={styles['head']}>
        <h1 data-page-title tabIndex={-1}>
          Explore
        </h1>
        <p>
          {data && `Ways through ${formatCount(data.total)} ${posts(data.total)}`}
          {data?.writtenSince && `, written since ${formatLongMonth(`${data.writtenSince}-01`)}`}
          {data && '.'}
        </p>
      </header>
      <RandomPost
        words={(post, className) => (
          <PostOpener post={post} terms={[]} limit={CARD_TEXT_LENGTH} className={className} />
        )}
        picture={(post, className) => <Thumbnail media={post.media[0]} className={className} />}
        author={(post) => <AuthorLine post={post} terms={[]} size={40} showDate />}
      />
      {data === undefined ? waiting() : <Ways explore={data} />}
    </>
  );

  function waiting(): ReactNode {
    if (error !== undefined) {
      return (
        <div className={styles['failed']}>
          <Notice title="The figures could not be loaded." detail="The posts are safe." onRetry={() => void mutate()} />
        </div>
      );
    }
    return (
      <div className={styles['ghosts']}>
        <p role="status" className="visually-hidden">
          Loading figures...
        </p>
        <div className={styles['ghost']} />
        <div className={styles['ghost']} />
      </div>
    );
  }
}

function Ways({ explore }: { explore: Explore }) {
  const { week, categories, onThisDay } = explore;
  return (
    <>
      <div className={styles['plots']}>
        {categories.length > 0 && <CategoryMonths explore={explore} />}
        <SameDay onThisDay={onThisDay} />
      </div>
      <div className={styles['lists']}>
        <ActiveAuthors explore={explore} />
        <NewAuthors explore={explore} />
        {isLanguageTold(explore) && <Languages explore={explore} />}
      </div>
      <section aria-labelledby="this-week">
        <header className={styles['week']}>
          <h2 id="this-week">Most reacted this week</h2>
          {week.posts.length > 0 && (
            <Link href={mostReacted(week)} className={lists['more']}>
              Show all
            </Link>
          )}
        </header>
        {week.posts.length > 0 ? (
          <PostGrid posts={week.posts} terms={NO_TERMS} {...postSlots} />
        ) : (
          <p className={styles['none']}>
            Nobody has reacted to a post of the last seven days yet.{' '}
            <Link href={archiveHref({}, { sortBy: 'reactions' })} className="text-link">
              Most reacted of all
            </Link>
          </p>
        )}
      </section>
    </>
  );
}

/** Languages are shown only if at least one post in a hundred has one. */
function isLanguageTold({ languages, total }: Explore): boolean {
  return languages.reduce((sum, { count }) => sum + count, 0) * 100 >= total;
}

function mostReacted({ from, to }: Explore['week']): string {
  return archiveHref({ startDate: from, endDate: to, q: 'reactions:>0' }, { sortBy: 'reactions' });
}
