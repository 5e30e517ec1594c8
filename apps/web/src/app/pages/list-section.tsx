import { type ArchivePage, DEFAULT_QUERY, PAGE_SIZE } from '@archive/contracts';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { navigate } from 'wouter/use-browser-location';
import {
  anyOfWords,
  countFilters,
  isNarrowed,
  misunderstood,
  NO_FILTERS,
} from '../../features/archive/active-filters.ts';
import { ExportMenu } from '../../features/archive/export-menu.tsx';
import { ResultRow } from '../../features/archive/result-row.tsx';
import { Toolbar } from '../../features/archive/toolbar.tsx';
import {
  changeView,
  type Layout,
  printView,
  setWords,
  toggleSort,
  type ViewState,
  wordsIn,
} from '../../features/archive/view-state.ts';
import { LaunchLink } from '../../features/launches/launch-link.tsx';
import { PostGrid, PostGridSkeleton } from '../../features/post/post-grid.tsx';
import type { PostSlots } from '../../features/post/post-slots.ts';
import { PostTableSkeleton } from '../../features/post/post-table-skeleton.tsx';
import { ReactionBar } from '../../features/reactions/reaction-bar.tsx';
import { formatCount } from '../../lib/format.ts';
import { pageShown } from '../../lib/page-shown.ts';
import { BlankPage } from '../../ui/blank-page.tsx';
import buttons from '../../ui/button.module.css';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from './list-section.module.css';
import { postTerms } from './post-terms.ts';
import { isPhone, useResultsInSight } from './use-results-in-sight.ts';

const Arrivals = lazyPart(
  () => import('../../features/archive/arrivals.tsx').then((part) => part.Arrivals),
  null,
  pageShown,
  null,
);
const FilterPanel = lazyPart(() => import('../../features/archive/filter-panel.tsx').then((part) => part.FilterPanel));
const FollowLine = lazyPart(
  () => import('../../features/searches/follow-line.tsx').then((part) => part.FollowLine),
  // Keeps the footer in place until the part has loaded.
  <div className="shell-fill" />,
  pageShown,
);
const Pagination = lazyPart(
  () => import('../../features/archive/pagination.tsx').then((part) => part.Pagination),
  null,
  pageShown,
);
const SaveSearchButton = lazyPart(
  () => import('../../features/searches/save-search-button.tsx').then((part) => part.SaveSearchButton),
  null,
  pageShown,
  null,
);
const SearchNotes = lazyPart(
  () => import('../../features/archive/search-notes.tsx').then((part) => part.SearchNotes),
  <div className={styles['noteWaiting']} />,
  undefined,
  null,
);
const Timeline = lazyPart(
  () => import('../../features/timeline/timeline.tsx').then((part) => part.Timeline),
  <div className={styles['timelineWaiting']} />,
  pageShown,
);
const PostTable = lazyPart(
  () => import('../../features/post/post-table.tsx').then((part) => part.PostTable),
  <PostTableSkeleton count={PAGE_SIZE} />,
);

/** The parts of a post that other features provide. */
export const postSlots: PostSlots = {
  reactions: (post) => <ReactionBar post={post} />,
  launch: (post) => <LaunchLink post={post} />,
};

/** Shown under the timeline. */
const DATES_HINT = 'Drag across dates, or press one';

/** View settings that do not change which posts match. */
const DEFAULT_ORDER = { page: 1, view: 'grid', sortBy: 'timestamp', sortOrder: 'desc' } as const;

interface ListSectionProps {
  path: string;
  view: ViewState;
  /** The author whose posts are listed; undefined for the whole archive. */
  handle?: string | undefined;
  list: ArchivePage | undefined;
  error: unknown;
  isStale: boolean;
  reload: () => void;
  /** Whether the page shows its own timeline above the list. */
  isPlotAbove?: boolean;
}

/** The search field, the filters, the list of posts and its pagination. */
export function ListSection({ path, view, handle, list, error, isStale, reload, isPlotAbove }: ListSectionProps) {
  const [isPanelOpen, setIsPanelOpen] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const latest = useRef(view);
  useEffect(() => {
    latest.current = view;
  });

  const change = useCallback(
    (part: Partial<ViewState>, replace = false) => {
      navigate(hrefOf(path, changeView(latest.current, part)), { replace });
    },
    [path],
  );
  const isEntered = useRef(false);
  const search = useCallback(
    (text: string) => {
      // One history entry per search, not per letter. A search sent by Enter keeps its entry when the next one is
      // typed.
      change(setWords(text), wordsIn(latest.current) !== '' && text !== '' && !isEntered.current);
      isEntered.current = false;
    },
    [change],
  );

  function goTo(page: number) {
    change({ page });
    toTop();
  }

  function toTop() {
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView({ block: 'start' });
  }

  const found = list?.match;
  const terms = useMemo(() => postTerms(view, found), [view, found]);

  // A change of page or order keeps the total. For other posts the total is unknown until the answer arrives.
  const sought = printView({ ...view, ...DEFAULT_ORDER });
  const [counted, setCounted] = useState({ sought, total: list?.pagination.total });
  const isCounted = list !== undefined && !isStale && error === undefined;
  if (isCounted && (counted.sought !== sought || counted.total !== list.pagination.total))
    setCounted({ sought, total: list.pagination.total });
  const total = isCounted ? list.pagination.total : counted.sought === sought ? counted.total : undefined;

  const results = useRef<HTMLDivElement>(null);
  const { bring, focus } = useResultsInSight(results, { words: wordsIn(view), isAnswered: isCounted });
  function toResults() {
    bring(true);
    heading.current?.focus({ preventScroll: true });
  }

  // The server may have answered with a looser match. An export uses the same match.
  const match = list?.match ?? 'exact';
  const shown = match === 'exact' ? view : { ...view, match };
  const { texts, isCut } = misunderstood(view);
  const mayBeNoted = texts.length > 0 || isCut;

  return (
    <section aria-labelledby="posts-heading" className={styles['section']}>
      <Toolbar
        view={shown}
        exportMenu={<ExportMenu view={shown} handle={handle} total={total} posts={list?.data ?? []} />}
        onSearch={search}
        onSubmit={() => {
          isEntered.current = true;
          toResults();
        }}
        onField={focus}
        onLayout={(layout: Layout) => change({ view: layout })}
        isPanelOpen={isPanelOpen}
        onPanel={setIsPanelOpen}
        panel={
          <FilterPanel
            key={printView({ ...view, page: 1, view: 'grid' })}
            view={view}
            onReset={() => change(NO_FILTERS)}
            onApply={(filters) => {
              change(filters);
              if (!isPhone()) return;
              // On a phone the panel fills the window. Close it before the position of the results is measured.
              flushSync(() => setIsPanelOpen(false));
              toResults();
            }}
          />
        }
      />
      <h2 id="posts-heading" ref={heading} tabIndex={-1} className="visually-hidden" data-results>
        Posts
      </h2>
      <Arrivals layout={view.view} onOpen={() => toTop()} isWhole={path === '/' && !isNarrowed(view)} />
      {!isPlotAbove && total !== 0 && error === undefined && (
        <Timeline filter={isCounted ? { ...shown, handle } : null} words={shown} onRange={change} hint={DATES_HINT} />
      )}
      <ResultRow
        view={view}
        total={total}
        isCounting={isStale}
        onChange={(part) => change(part)}
        save={isNarrowed(view) && <SaveSearchButton query={filtersOf(shown, handle)} isShort />}
      />
      {(shown !== view || mayBeNoted || /\s/.test(view.search ?? '')) && (
        <SearchNotes
          view={view}
          handle={handle}
          list={list}
          isAnswered={isCounted}
          onMatch={(match) => change({ match })}
        />
      )}
      <p role="status" className="visually-hidden">
        {announcement(list, isStale, error)}
      </p>
      <div
        ref={results}
        className={styles['posts']}
        data-stale={isStale}
        aria-busy={isStale || (list === undefined && error === undefined)}
      >
        {posts()}
      </div>
      {list !== undefined && error === undefined && (
        <>
          <Pagination
            page={view.page}
            pages={list.pagination.pages}
            hrefOf={(page) => hrefOf(path, { ...view, page })}
            onPage={goTo}
          />
          {(isNarrowed(view) || handle !== undefined) && (
            // The key changes with the list. Without it the line would visibly jump when a short list replaces a long
            // one.
            <FollowLine key={`${total} ${list.data[0]?._id}`} query={filtersOf(shown, handle)} />
          )}
        </>
      )}
    </section>
  );

  function posts(): ReactNode {
    if (error !== undefined && !navigator.onLine && isNarrowed(view)) {
      return (
        <div role="alert">
          <BlankPage boxed title="This list was not kept on this device." text="What you read before is still here.">
            <button
              type="button"
              className={buttons['plain']}
              onClick={() => {
                navigate('/');
                toTop();
              }}
            >
              Posts read before
            </button>
          </BlankPage>
        </div>
      );
    }
    if (error !== undefined) {
      return (
        <Notice
          title={
            navigator.onLine ? 'Failed to load data. Please try again later.' : 'This list was not kept on this device.'
          }
          detail={isNarrowed(view) ? 'Your filters are kept.' : 'The archive is safe.'}
          onRetry={reload}
        />
      );
    }
    if (list === undefined) {
      return view.view === 'table' ? <PostTableSkeleton count={PAGE_SIZE} /> : <PostGridSkeleton count={PAGE_SIZE} />;
    }
    if (list.pagination.total === 0) {
      const nearest = anyOfWords(view);
      return (
        <BlankPage boxed title="No tweets found" text="Try adjusting your filters or search terms">
          {nearest !== null && (
            <button type="button" className={buttons['plain']} onClick={() => change(setWords(nearest))}>
              Posts with any of these words
            </button>
          )}
          {isNarrowed(view) && (
            <button type="button" className={buttons['plain']} onClick={() => change(NO_FILTERS)}>
              {countFilters(view) > 0 ? 'Reset filters' : 'Clear the search'}
            </button>
          )}
        </BlankPage>
      );
    }
    const { pages } = list.pagination;
    if (list.data.length === 0 && view.page > pages && !isStale) {
      return (
        <BlankPage
          boxed
          title={`Page ${formatCount(view.page)} is past the end`}
          text={pages === 1 ? 'There is one page.' : `There are ${formatCount(pages)} pages.`}
        >
          <button type="button" className={buttons['plain']} onClick={() => goTo(Math.max(pages, 1))}>
            Last page
          </button>
        </BlankPage>
      );
    }
    if (view.view === 'table') {
      return (
        <PostTable
          posts={list.data}
          terms={terms}
          sort={view}
          onSort={(field) => change(toggleSort(view, field))}
          launch={postSlots.launch}
        />
      );
    }
    return <PostGrid posts={list.data} terms={terms} {...postSlots} />;
  }
}

export function hrefOf(path: string, view: ViewState): string {
  const query = printView(view);
  return query === '' ? path : `${path}?${query}`;
}

/** The filters of a list as a query string, without order and page. */
function filtersOf(view: ViewState, handle: string | undefined): string {
  const params = new URLSearchParams(printView({ ...view, ...DEFAULT_QUERY, view: 'grid' }));
  if (handle !== undefined) params.set('handle', handle);
  return params.toString();
}

function announcement(list: ArchivePage | undefined, isStale: boolean, error: unknown): string {
  if (error !== undefined) return '';
  if (list === undefined || isStale) return 'Loading archive data...';
  const { total, page, pages } = list.pagination;
  if (total === 0) return 'No tweets found';
  return `${formatCount(total)} ${total === 1 ? 'post' : 'posts'}, page ${page} of ${Math.max(pages, 1)}`;
}
