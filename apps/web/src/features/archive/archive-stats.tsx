import { type ArchivePage, TOP_AUTHORS_SHOWN } from '@archive/contracts';
import type { ReactNode } from 'react';
import { useAnswer } from '../../lib/api.ts';
import { formatCount } from '../../lib/format.ts';
import { authorHref } from '../../lib/routes.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Link } from '../../ui/link.tsx';
import styles from './archive-stats.module.css';

interface ArchiveStatsProps {
  stats: ArchivePage['stats'] | undefined;
  lastLaunch: ReactNode;
}

/** One row: three figures, the authors with the most posts, and the last launch. */
export function ArchiveStats({ stats, lastLaunch }: ArchiveStatsProps) {
  return (
    <section className={styles['stats']} aria-label="About the archive">
      <dl className={styles['figures']}>
        <Figure label="Total Tweets" count={stats?.total} />
        <Figure label="Unique Authors" count={stats?.authors} />
        <Figure label="Last 7 Days" count={stats?.recent} />
      </dl>
      <TopAuthors />
      {lastLaunch}
    </section>
  );
}

function Figure({ label, count }: { label: string; count: number | undefined }) {
  return (
    <div className={styles['figure']}>
      <dt>{label}</dt>
      <dd>{count === undefined ? <span aria-hidden="true">–</span> : formatCount(count)}</dd>
    </div>
  );
}

function TopAuthors() {
  // A failed call looks like an empty list.
  const { data, isLoading } = useAnswer('analytics', {});
  const authors = data?.topAuthors.slice(0, TOP_AUTHORS_SHOWN) ?? [];
  return (
    <section className={styles['authors']} aria-labelledby="top-authors">
      <header>
        <h2 id="top-authors">Top Authors</h2>
        {authors.length > 0 && <span aria-hidden="true">tweets archived</span>}
      </header>
      {authors.length === 0 ? (
        <p className={styles['none']}>{isLoading ? '' : 'No author data available'}</p>
      ) : (
        <ol>
          {authors.map(({ author, username, avatar, count }) => (
            <li key={username}>
              <Link href={authorHref(username)} className={styles['author']}>
                <Avatar name={author} handle={username} address={avatar} size={28} />
                <span className={styles['who']}>
                  <bdi className="one-line">{author}</bdi>
                  <bdi className="one-line">@{username}</bdi>
                </span>
                <span className={styles['count']}>
                  {formatCount(count)}
                  <span className="visually-hidden"> tweets archived</span>
                </span>
              </Link>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
