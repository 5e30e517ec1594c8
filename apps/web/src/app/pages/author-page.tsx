import { ApiError, isServerDown } from '@archive/client';
import { type Post, printFilters, viewTitle } from '@archive/contracts';
import { useMemo, useState } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { isNarrowed } from '../../features/archive/active-filters.ts';
import { useArchives } from '../../features/archive/use-archives.ts';
import { changeView, listAddress, parseView, viewLinks } from '../../features/archive/view-state.ts';
import { AuthorHead } from '../../features/authors/author-head.tsx';
import { CategoriesPanel, FeedsPanel, OwnPostsPanel } from '../../features/authors/author-panels.tsx';
import { profileAddress } from '../../features/authors/profile-address.ts';
import { PostGrid } from '../../features/post/post-grid.tsx';
import { NO_TERMS } from '../../features/post/post-slots.ts';
import { SaveSearchButton } from '../../features/searches/save-search-button.tsx';
import { Timeline } from '../../features/timeline/timeline.tsx';
import { useAnswer } from '../../lib/api.ts';
import { formatCount } from '../../lib/format.ts';
import { usePageShown } from '../../lib/page-shown.ts';
import { authorHref } from '../../lib/routes.ts';
import { siteName } from '../../lib/safe-links.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { BlankPage } from '../../ui/blank-page.tsx';
import buttons from '../../ui/button.module.css';
import { FeedIcon } from '../../ui/later-icons.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { Link } from '../../ui/link.tsx';
import { Maintenance } from '../maintenance.tsx';
import styles from './author-page.module.css';
import { hrefOf, ListSection, postSlots } from './list-section.tsx';

const ReportDialog = lazyPart(() =>
  import('../../features/reports/report-dialog.tsx').then((part) => part.ReportDialog),
);

const BEST_KNOWN = 4;

export function AuthorPage({ handle, search }: { handle: string; search: string }) {
  const view = useMemo(() => parseView(search), [search]);
  const archives = useArchives(listAddress(view, handle));
  const { list, error, reload } = archives;
  const { data: author, error: authorError } = useAnswer('getAuthor', { params: { handle } });
  const isShown = usePageShown();
  usePageTitle(viewTitle({ ...view, handle }), viewLinks(view, authorHref(handle), handle));

  if (isServerDown(error) && list === undefined) return <Maintenance onRetry={reload} />;
  const isUnknown = authorError instanceof ApiError && authorError.code === 'not_found';
  if (isUnknown || (list?.pagination.total === 0 && !isNarrowed(view) && !archives.isStale))
    return <UnknownAuthor handle={handle} />;
  // Panels about the whole author are shown only on page 1 without filters. Otherwise the list follows the plot
  // directly.
  const isWhole = !isNarrowed(view) && view.page === 1;
  const isKnown = isWhole && author !== undefined && author.reactions > 0 && author.posts > BEST_KNOWN;
  const query = printFilters({ handle });
  const isCounted = list !== undefined && !archives.isStale && error === undefined;
  return (
    <>
      <AuthorHead
        handle={handle}
        author={author}
        tools={
          <>
            <a className={buttons['plain']} href={`/feed.atom?${query}`}>
              <FeedIcon size={15} />
              Feed
            </a>
            <SaveSearchButton query={query} look="plain" />
          </>
        }
      />
      {author === undefined && authorError === undefined ? (
        <div className={styles['waiting']} />
      ) : (
        <>
          <div className={styles['columns']} data-broad={isWhole && !isKnown}>
            <div className={styles['main']}>
              <div className="panel">
                <Timeline
                  filter={isCounted ? { ...view, match: list.match, handle } : null}
                  words={view}
                  onRange={(change) => navigate(hrefOf(authorHref(handle), changeView(view, change)))}
                  hint="Press a bar to see its posts"
                  isInPanel
                />
              </div>
              {isKnown && <BestKnown handle={handle} posts={author.posts} />}
            </div>
            {author && (
              <div className={styles['side']}>
                <CategoriesPanel categories={author.categories} />
                {isWhole && (
                  <>
                    <OwnPostsPanel platforms={author.platforms} ask={<AskForRemoval post={list?.data[0]} />} />
                    <FeedsPanel query={query} />
                  </>
                )}
              </div>
            )}
          </div>
          {isShown ? (
            <ListSection path={authorHref(handle)} view={view} handle={handle} isPlotAbove {...archives} />
          ) : (
            <div className="shell-fill" />
          )}
        </>
      )}
    </>
  );
}

/** The author's posts with the most reactions. */
function BestKnown({ handle, posts }: { handle: string; posts: number }) {
  const { data } = useAnswer('listArchives', { query: { handle, sortBy: 'reactions', limit: BEST_KNOWN } });
  return (
    <section aria-labelledby="best-known" className={styles['best']}>
      <header>
        <h2 id="best-known">Best known</h2>
        <a href="#posts-heading">All {formatCount(posts)} posts</a>
      </header>
      {data && <PostGrid posts={data.data} terms={NO_TERMS} columns={2} {...postSlots} />}
    </section>
  );
}

/** Opens the report form with “I wrote this” for the author's newest post. An operator reads the report. */
function AskForRemoval({ post }: { post: Post | undefined }) {
  const [isAsking, setIsAsking] = useState(false);
  if (post === undefined) return null;
  return (
    <>
      <button
        type="button"
        className={buttons['plain']}
        onClick={() => setIsAsking(true)}
        onPointerEnter={ReportDialog.prefetch}
      >
        Ask for removal
      </button>
      {isAsking && (
        <ReportDialog
          post={post}
          preset="mine"
          begun="Please remove all of my posts."
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  );
}

/** Shown for an author without archived posts, to whom a mention may link. */
function UnknownAuthor({ handle }: { handle: string }) {
  const elsewhere = profileAddress('x', handle) ?? profileAddress('bluesky', handle);
  return (
    <BlankPage title={`No posts by @${handle}`} text="Check the spelling, or search for it." pale>
      <Link href={`/?search=${encodeURIComponent(`@${handle}`)}`} className={buttons['plain']}>
        Search for @{handle}
      </Link>
      {elsewhere !== null && (
        <a href={elsewhere} target="_blank" rel="noopener noreferrer" className={buttons['ghost']}>
          Look on {siteName(elsewhere)}
          <span className="visually-hidden">, in a new tab</span>
        </a>
      )}
    </BlankPage>
  );
}
