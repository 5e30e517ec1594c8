import { isServerDown } from '@archive/client';
import { PRODUCT_NAME } from '@archive/contracts';
import { useMemo } from 'react';
import { useArchives } from '../../features/archive/use-archives.ts';
import { listAddress, parseView } from '../../features/archive/view-state.ts';
import { authorHref } from '../../lib/routes.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Maintenance } from '../maintenance.tsx';
import styles from './author-page.module.css';
import { ListSection } from './list-section.tsx';

export function AuthorPage({ handle, search }: { handle: string; search: string }) {
  const view = useMemo(() => parseView(search), [search]);
  const archives = useArchives(listAddress(view, handle));
  const { list, error, reload } = archives;
  const known = list?.featured ?? list?.data[0];
  const name = known?.author ?? handle;
  usePageTitle(`@${handle} in ${PRODUCT_NAME}`);

  if (isServerDown(error)) return <Maintenance onRetry={reload} />;
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
      <ListSection path={authorHref(handle)} view={view} handle={handle} withFeatured {...archives} />
    </>
  );
}
