import type { Post } from '@archive/contracts';
import { type ComponentProps, useMemo, useRef, useState } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { isNarrowed } from '../../features/archive/active-filters.ts';
import { parseView, wordsIn } from '../../features/archive/view-state.ts';
import { FeatureButton } from '../../features/featuring/feature-button.tsx';
import { LaunchButton, PlatformLink } from '../../features/launches/launch-button.tsx';
import { LaunchedNote } from '../../features/launches/launched-note.tsx';
import { MoreFromAuthor } from '../../features/post/more-from-author.tsx';
import { OpenedPost } from '../../features/post/opened-post.tsx';
import { NeighbourSteps, NeighbourWords, PageSteps } from '../../features/post/post-neighbours.tsx';
import { ReactionBar } from '../../features/reactions/reaction-bar.tsx';
import { postHref } from '../../lib/routes.ts';
import { stepToPost } from '../../lib/view-location.ts';
import buttons from '../../ui/button.module.css';
import { ChevronLeftIcon } from '../../ui/icons.tsx';
import { BookmarkIcon, FlagIcon } from '../../ui/later-icons.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { Link } from '../../ui/link.tsx';
import { useWalletState } from '../../wallet/wallet-store.ts';
import { Maintenance } from '../maintenance.tsx';
import { hrefOf } from './list-section.tsx';
import { NotFoundPage } from './not-found-page.tsx';
import styles from './post-page.module.css';
import { listQuery, postTerms } from './post-terms.ts';
import { type ListStep, useListSteps } from './use-list-steps.ts';

const AddToCollection = lazyPart(() =>
  import('../../features/collections/add-to-collection.tsx').then((part) => part.AddToCollection),
);
const ReportDialog = lazyPart(() =>
  import('../../features/reports/report-dialog.tsx').then((part) => part.ReportDialog),
);
const FeatureSheet = lazyPart(() =>
  import('../../features/featuring/sheet/feature-sheet.tsx').then((part) => part.FeatureSheet),
);

/** A post on its own page. If the address carries a search, the page links to the next results and back to the list. */
export function PostPage({ id, search }: { id: string; search: string }) {
  const view = useMemo(() => parseView(search), [search]);
  const terms = useMemo(() => postTerms(view), [view]);
  const isFound = isNarrowed(view);
  const { steps, isLoading } = useListSteps(id, isFound ? '/' : '', search);
  const pageOf = (step: ListStep | null) => step && postHref(step.id) + step.below.replace(/^[^?]*/, '');
  return (
    <WholePost
      id={id}
      terms={terms}
      above={
        <div className={styles['back']}>
          <Link href={isFound ? hrefOf('/', view) : '/'} className={`${buttons['ghost']} ${styles['list']}`}>
            <ChevronLeftIcon />
            <span className="one-line">{isFound ? backWords(wordsIn(view)) : 'All posts'}</span>
          </Link>
          {steps ? (
            <PageSteps label="Posts found" previous={pageOf(steps.previous)} next={pageOf(steps.next)} />
          ) : (
            !isLoading && <NeighbourSteps id={id} />
          )}
        </div>
      }
      below={(post) => <NeighbourWords post={post} />}
      more={(post) => <MoreFromAuthor post={post} />}
      missing={(words) => <NotFoundPage {...words} />}
      down={(reload) => <Maintenance onRetry={reload} />}
    />
  );
}

function backWords(words: string): string {
  return words === '' ? 'Back to the posts found' : `Back to “${words}”`;
}

/** A post over the list it was opened from. Closing returns to the list. */
export function PostOverlay({ id, path, search }: { id: string; path: string; search: string }) {
  const view = useMemo(() => parseView(search), [search]);
  const { steps: inList, match } = useListSteps(id, path, search);
  const terms = useMemo(() => postTerms(view, match), [view, match]);
  const go = (step: ListStep | null) => step && (() => stepToPost(step.id, step.below));
  const steps = inList && { ...inList, previous: go(inList.previous), next: go(inList.next) };
  const below = search === '' ? path : `${path}?${search}`;
  const openedOver = useRef(below);
  return (
    <WholePost
      id={id}
      terms={terms}
      steps={steps}
      query={path === '/' && isNarrowed(view) ? listQuery(view, match) : ''}
      // If the visitor stepped to another page of the list, closing returns to that page.
      onClose={() => (below === openedOver.current ? window.history.back() : navigate(below, { replace: true }))}
    />
  );
}

/** A post with the parts that other features provide. */
function WholePost(
  props: Omit<
    ComponentProps<typeof OpenedPost>,
    'reactions' | 'actions' | 'collect' | 'launchedNote' | 'report' | 'own'
  >,
) {
  const [featuring, setFeaturing] = useState<Post | null>(null);
  const [collecting, setCollecting] = useState<Post | null>(null);
  const [reporting, setReporting] = useState<{ post: Post; preset?: 'mine' } | null>(null);
  const { user } = useWalletState();

  return (
    <>
      <OpenedPost
        {...props}
        reactions={(post) => <ReactionBar post={post} boxed />}
        actions={(post) => (
          <>
            {!post.featured && <FeatureButton onOpen={() => setFeaturing(post)} />}
            <LaunchButton post={post} />
            {post.launched && <PlatformLink post={post} />}
          </>
        )}
        collect={(post, isIcon) =>
          user !== null && (
            <button
              type="button"
              className={buttons[isIcon ? 'icon' : 'ghost']}
              onClick={() => setCollecting(post)}
              title={isIcon ? 'Put into a collection' : undefined}
            >
              <BookmarkIcon />
              <span className={isIcon ? 'visually-hidden' : undefined}>Collect</span>
            </button>
          )
        }
        launchedNote={(post) => <LaunchedNote post={post} />}
        report={(post) => (
          <button
            type="button"
            className={buttons['word']}
            onClick={() => setReporting({ post })}
            onPointerEnter={ReportDialog.prefetch}
          >
            <FlagIcon size={14} />
            Report
          </button>
        )}
        own={(post) => (
          <p className={styles['own']}>
            Is this yours?{' '}
            <button type="button" className="word-link" onClick={() => setReporting({ post, preset: 'mine' })}>
              Remove it
            </button>
          </p>
        )}
      />
      {collecting !== null && <AddToCollection post={collecting} onClose={() => setCollecting(null)} />}
      {reporting !== null && <ReportDialog {...reporting} onClose={() => setReporting(null)} />}
      {featuring !== null && <FeatureSheet post={featuring} onClose={() => setFeaturing(null)} />}
    </>
  );
}
