import { isServerDown } from '@archive/client';
import { PRODUCT_NAME, PRODUCT_SLUG } from '@archive/contracts';
import { useMemo } from 'react';
import { isNarrowed } from '../../features/archive/active-filters.ts';
import { ArchiveHeader } from '../../features/archive/archive-header.tsx';
import { ArchiveStats } from '../../features/archive/archive-stats.tsx';
import { useArchives } from '../../features/archive/use-archives.ts';
import { listAddress, parseView } from '../../features/archive/view-state.ts';
import { LastLaunch } from '../../features/launches/last-launch.tsx';
import { LaunchPanel } from '../../features/launches/launch-panel.tsx';
import { FeaturedSlab, FeaturedSlabSkeleton } from '../../features/post/featured-slab.tsx';
import { NO_TERMS } from '../../features/post/post-slots.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { Maintenance } from '../maintenance.tsx';
import { ListSection, postSlots } from './list-section.tsx';

export function ArchivePage({ search }: { search: string }) {
  const view = useMemo(() => parseView(search), [search]);
  const archives = useArchives(listAddress(view));
  const { list, error, reload } = archives;
  usePageTitle(
    view.search === undefined ? `${PRODUCT_NAME}: posts, kept in ${PRODUCT_SLUG}` : `${view.search} in ${PRODUCT_NAME}`,
  );

  if (isServerDown(error)) return <Maintenance onRetry={reload} />;

  // Results come first: what introduces the archive steps aside once something is looked for.
  const isLooking = isNarrowed(view);
  return (
    <>
      {isLooking ? (
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
      <ListSection key="list" path="/" view={view} withFeatured={isLooking} {...archives} />
      {!isLooking && list?.lastLaunch && <LastLaunch launch={list.lastLaunch} place="end" />}
    </>
  );

  function slab() {
    if (view.page !== 1 || error !== undefined) return null;
    if (list === undefined) return <FeaturedSlabSkeleton />;
    if (list.featured === null) return null;
    return <FeaturedSlab post={list.featured} terms={NO_TERMS} reactions={postSlots.reactions} />;
  }
}
