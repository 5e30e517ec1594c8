import { type ArchivePage, PAGE_SIZE } from '@archive/contracts';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { isNarrowed, NO_FILTERS } from '../../features/archive/active-filters.ts';
import { Arrivals } from '../../features/archive/arrivals.tsx';
import { ExportLine } from '../../features/archive/export-line.tsx';
import { Pagination } from '../../features/archive/pagination.tsx';
import { ResultRow } from '../../features/archive/result-row.tsx';
import { Toolbar } from '../../features/archive/toolbar.tsx';
import { changeView, type Layout, printView, toggleSort, type ViewState } from '../../features/archive/view-state.ts';
import { LaunchLink } from '../../features/launches/launch-link.tsx';
import { PostGrid, PostGridSkeleton } from '../../features/post/post-grid.tsx';
import type { PostSlots, PostTerms } from '../../features/post/post-slots.ts';
import { PostTableSkeleton } from '../../features/post/post-table-skeleton.tsx';
import { ReactionBar } from '../../features/reactions/reaction-bar.tsx';
import { formatCount } from '../../lib/format.ts';
import { BlankPage } from '../../ui/blank-page.tsx';
import buttons from '../../ui/button.module.css';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from './list-section.module.css';

const FilterPanel = lazyPart(() => import('../../features/archive/filter-panel.tsx').then((part) => part.FilterPanel));
const PostTable = lazyPart(
  () => import('../../features/post/post-table.tsx').then((part) => part.PostTable),
  <PostTableSkeleton count={PAGE_SIZE} />,
);

/** What the other features put into every post. */
export const postSlots: PostSlots = {
  reactions: (post) => <ReactionBar post={post} />,
  launch: (post) => <LaunchLink post={post} />,
};

interface ListSectionProps {
  path: string;
  view: ViewState;
  /** The author whose posts these are. */
  handle?: string | undefined;
  list: ArchivePage | undefined;
  error: unknown;
  isStale: boolean;
  reload: () => void;
  /** Whether the featured post heads the list; elsewhere on the page it has a place of its own. */
  withFeatured: boolean;
}

/** Search, filters, the posts, and the way to the other pages. */
export function ListSection({ path, view, handle, list, error, isStale, reload, withFeatured }: ListSectionProps) {
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
  const search = useCallback(
    // One history entry per search, not per letter.
    (text: string) => change({ search: text || undefined }, latest.current.search !== undefined && text !== ''),
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

  const terms = useMemo<PostTerms>(
    () => ({
      content: [view.search, view.content].filter((term) => term !== undefined),
      author: [view.search, view.author].filter((term) => term !== undefined),
    }),
    [view.search, view.content, view.author],
  );

  return (
    <section aria-labelledby="posts-heading" className={styles['section']}>
      <Toolbar
        view={view}
        handle={handle}
        onSearch={search}
        onLayout={(layout: Layout) => change({ view: layout })}
        isPanelOpen={isPanelOpen}
        onPanel={setIsPanelOpen}
        panel={
          <FilterPanel
            key={printView({ ...view, search: undefined, page: 1, view: 'grid' })}
            view={view}
            onApply={(filters) => change(filters)}
          />
        }
      />
      <h2 id="posts-heading" ref={heading} tabIndex={-1} className="visually-hidden">
        Posts
      </h2>
      {path === '/' && !isNarrowed(view) && <Arrivals layout={view.view} onOpen={() => toTop()} />}
      <ResultRow view={view} total={list?.pagination.total} onChange={(part) => change(part)} />
      <p role="status" className="visually-hidden">
        {announcement(list, isStale, error)}
      </p>
      <div
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
          {list.pagination.total > 0 && <ExportLine view={view} handle={handle} />}
        </>
      )}
    </section>
  );

  function posts(): ReactNode {
    if (error !== undefined) {
      return (
        <Notice
          title="Failed to load data. Please try again later."
          detail={isNarrowed(view) ? 'Your filters are kept.' : 'The archive is safe.'}
          onRetry={reload}
        />
      );
    }
    if (list === undefined) {
      return view.view === 'table' ? <PostTableSkeleton count={PAGE_SIZE} /> : <PostGridSkeleton count={PAGE_SIZE} />;
    }
    const shown = withFeatured && list.featured !== null ? [list.featured, ...list.data] : list.data;
    if (shown.length === 0 && !(list.featured !== null && !withFeatured)) {
      return (
        <BlankPage boxed title="No tweets found" text="Try adjusting your filters or search terms">
          {isNarrowed(view) && (
            <button
              type="button"
              className={buttons['plain']}
              onClick={() => change({ ...NO_FILTERS, search: undefined })}
            >
              Reset filters
            </button>
          )}
        </BlankPage>
      );
    }
    if (view.view === 'table') {
      return (
        <PostTable
          posts={shown}
          terms={terms}
          sort={view}
          onSort={(field) => change(toggleSort(view, field))}
          {...postSlots}
        />
      );
    }
    return <PostGrid posts={shown} terms={terms} {...postSlots} />;
  }
}

function hrefOf(path: string, view: ViewState): string {
  const query = printView(view);
  return query === '' ? path : `${path}?${query}`;
}

function announcement(list: ArchivePage | undefined, isStale: boolean, error: unknown): string {
  if (error !== undefined) return '';
  if (list === undefined || isStale) return 'Loading archive data...';
  const { total, page, pages } = list.pagination;
  if (total === 0) return 'No tweets found';
  return `${formatCount(total)} ${total === 1 ? 'post' : 'posts'}, page ${page} of ${Math.max(pages, 1)}`;
}
