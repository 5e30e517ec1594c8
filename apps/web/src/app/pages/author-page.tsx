import { isServerDown } from '@archive/client';
import { viewTitle } from '@archive/contracts';
import { useMemo } from 'react';
import { isNarrowed } from '../../features/archive/active-filters.ts';
import { useArchives } from '../../features/archive/use-archives.ts';
import { listAddress, parseView, viewLinks } from '../../features/archive/view-state.ts';
import { authorHref } from '../../lib/routes.ts';
import { siteName } from '../../lib/safe-links.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { BlankPage } from '../../ui/blank-page.tsx';
import buttons from '../../ui/button.module.css';
import { Link } from '../../ui/link.tsx';
import { Maintenance } from '../maintenance.tsx';
import styles from './author-page.module.css';
import { ListSection } from './list-section.tsx';

export function AuthorPage({ handle, search }: { handle: string; search: string }) {
  const view = useMemo(() => parseView(search), [search]);
  const archives = useArchives(listAddress(view, handle));
  const { list, error, reload } = archives;
  const known = list?.featured ?? list?.data[0];
  const name = known?.author ?? handle;
  usePageTitle(viewTitle({ ...view, handle }), viewLinks(view, authorHref(handle), handle));

  if (isServerDown(error)) return <Maintenance onRetry={reload} />;
  if (list?.pagination.total === 0 && !isNarrowed(view) && !archives.isStale) return <UnknownAuthor handle={handle} />;
  return (
    <>
      <header className={styles['head']}>
        <Avatar name={name} handle={handle} address={known?.authorAvatar ?? null} size={46} />
        <div>
          <h1 data-page-title tabIndex={-1}>
            <bdi>{name}</bdi>
          </h1>
          <p>
            <bdi>@{known?.authorUsername ?? handle}</bdi>, as kept in the archive
          </p>
        </div>
      </header>
      <ListSection path={authorHref(handle)} view={view} handle={handle} {...archives} />
    </>
  );
}

/** Whoever follows a mention may come to somebody of whom nothing is kept. */
function UnknownAuthor({ handle }: { handle: string }) {
  const elsewhere = profileOf(handle);
  return (
    <BlankPage title={`No posts of @${handle}`} text="Nobody is kept here under exactly this handle." pale>
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

/** Where the handle may be somebody's, by its shape: those of Bluesky are domains. */
function profileOf(handle: string): string | null {
  if (/^\w{1,15}$/.test(handle)) return `https://x.com/${handle}`;
  return /^[\w-]+(?:\.[\w-]+)+$/.test(handle) ? `https://bsky.app/profile/${handle}` : null;
}
