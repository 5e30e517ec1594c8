import { isServerDown } from '@archive/client';
import { type Post, PRODUCT_SLUG, viewTitle } from '@archive/contracts';
import { useMemo, useState } from 'react';
import { isNarrowed } from '../../features/archive/active-filters.ts';
import { ArchiveHeader } from '../../features/archive/archive-header.tsx';
import { ArchiveStats } from '../../features/archive/archive-stats.tsx';
import { useArchives } from '../../features/archive/use-archives.ts';
import { listAddress, parseView, viewLinks } from '../../features/archive/view-state.ts';
import { LastLaunch } from '../../features/launches/last-launch.tsx';
import { LaunchPanel } from '../../features/launches/launch-panel.tsx';
import { FeaturedSlab, FeaturedSlabSkeleton } from '../../features/post/featured-slab.tsx';
import { NO_TERMS } from '../../features/post/post-slots.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { Maintenance } from '../maintenance.tsx';
import { ListSection, postSlots } from './list-section.tsx';
import { useIntroduction } from './use-introduction.ts';

export function ArchivePage({ search }: { search: string }) {
  const view = useMemo(() => parseView(search), [search]);
  const archives = useArchives(listAddress(view));
  const { list, error, reload } = archives;
  usePageTitle(viewTitle(view), viewLinks(view, '/'));

  const isLooking = isNarrowed(view);
  const isIntroduced = useIntroduction(search, isLooking);
  // When a search begins, the featured post above the list stays as it was.
  const [led, setLed] = useState<Post | null>();
  if (list !== undefined && !isLooking && !archives.isStale && led !== list.featured) setLed(list.featured);

  if (isServerDown(error) && list === undefined) return <Maintenance onRetry={reload} />;

  return (
    <>
      {!isIntroduced ? (
        <h1 className="visually-hidden">Posts, kept in {PRODUCT_SLUG}.</h1>
      ) : (
        <>
          <ArchiveHeader launchPanel={<LaunchPanel />} slab={slab()} />
          <ArchiveStats
            stats={list?.stats}
            lastLaunch={list?.lastLaunch ? <LastLaunch launch={list.lastLaunch} place="stats" /> : null}
          />
        </>
      )}
      <ListSection key="list" path="/" view={view} {...archives} />
      {isIntroduced && list?.lastLaunch && <LastLaunch launch={list.lastLaunch} place="end" />}
    </>
  );

  function slab() {
    if ((view.page !== 1 && !isLooking) || (error !== undefined && !isLooking)) return null;
    const post = isLooking ? led : list?.featured;
    if (post === undefined) return <FeaturedSlabSkeleton />;
    return post && <FeaturedSlab post={post} terms={NO_TERMS} reactions={postSlots.reactions} isAside={isLooking} />;
  }
}
