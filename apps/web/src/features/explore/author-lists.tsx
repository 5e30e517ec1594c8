import type { Explore } from '@archive/contracts';
import { formatCount } from '../../lib/format.ts';
import { authorHref } from '../../lib/routes.ts';
import { Ago } from '../../ui/ago.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { Link } from '../../ui/link.tsx';
import { PlatformMark } from '../../ui/platform-mark.tsx';
import { archiveHref } from './archive-href.ts';
import { posts } from './explore-words.ts';
import lists from './lists.module.css';
import { ShareBar } from './share-bar.tsx';

export function ActiveAuthors({ explore: { activeAuthors, authors } }: { explore: Explore }) {
  const most = activeAuthors[0]?.count ?? 1;
  return (
    <section className="panel" aria-labelledby="active-authors">
      <header className={lists['head']}>
        <h2 id="active-authors">Most active authors</h2>
        <Link
          className={lists['more']}
          href={archiveHref({}, { sortBy: 'author', sortOrder: 'asc' })}
          aria-label={`Posts of all ${formatCount(authors)} authors, by their names`}
        >
          All {formatCount(authors)}
        </Link>
      </header>
      <ol className={lists['list']}>
        {activeAuthors.map(({ author, username, avatar, count }) => (
          <li key={username}>
            <Link href={authorHref(username)} className={lists['entry']}>
              <Avatar name={author} handle={username} address={avatar} size={28} />
              <span className={lists['who']}>
                <bdi className={lists['name']}>{author}</bdi>
                <ShareBar part={count / most} />
              </span>
              <span className={lists['figure']}>
                {formatCount(count)}
                <span className="visually-hidden"> {posts(count)}</span>
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The authors added last. */
export function NewAuthors({ explore: { newAuthors } }: { explore: Explore }) {
  return (
    <section className="panel" aria-labelledby="new-authors">
      <header className={lists['head']}>
        <h2 id="new-authors">New here</h2>
      </header>
      <ol className={lists['list']}>
        {newAuthors.map(({ author, username, avatar, platform, since }) => (
          <li key={username}>
            <Link href={authorHref(username)} className={lists['entry']}>
              <Avatar name={author} handle={username} address={avatar} size={28} />
              <span className={lists['who']}>
                <bdi className={lists['name']}>{author}</bdi>
                <span className={lists['handle']}>
                  <PlatformMark platform={platform} />
                  <bdi className="one-line">@{username}</bdi>
                </span>
              </span>
              <span className={lists['since']}>
                <Ago at={since} />
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </section>
  );
}
