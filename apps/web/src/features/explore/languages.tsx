import type { Explore } from '@archive/contracts';
import { useState } from 'react';
import { formatCount, formatLanguage } from '../../lib/format.ts';
import { Link } from '../../ui/link.tsx';
import { archiveHref, otherLanguagesHref } from './archive-href.ts';
import { posts } from './explore-words.ts';
import lists from './lists.module.css';
import { ShareBar } from './share-bar.tsx';

const SHOWN = 6;

export function Languages({ explore: { languages, withoutLanguage } }: { explore: Explore }) {
  const [isWhole, setIsWhole] = useState(languages.length <= SHOWN + 1);
  const shown = isWhole ? languages : languages.slice(0, SHOWN);
  const others = languages.slice(shown.length);
  const ofOthers = others.reduce((sum, { count }) => sum + count, 0);
  const most = Math.max(languages[0]?.count ?? 0, withoutLanguage, 1);
  const none = otherLanguagesHref(languages.map(({ language }) => language));
  return (
    <section className="panel" aria-labelledby="languages">
      <header className={lists['head']}>
        <h2 id="languages">Languages</h2>
      </header>
      <ol className={lists['list']}>
        {shown.map(({ language, count }) => (
          <li key={language}>
            <Link href={archiveHref({ language })} className={lists['language']}>
              <Entry name={formatLanguage(language)} count={count} most={most} />
            </Link>
          </li>
        ))}
        {others.length > 0 && (
          <li>
            <button type="button" className={lists['language']} onClick={() => setIsWhole(true)}>
              <Entry name={`${others.length} others`} count={ofOthers} most={most} isHollow />
            </button>
          </li>
        )}
        {withoutLanguage > 0 && (
          <li>
            {none === null ? (
              <span className={lists['language']}>
                <Entry name="None told" count={withoutLanguage} most={most} isHollow />
              </span>
            ) : (
              <Link href={none} className={lists['language']}>
                <Entry name="None told" count={withoutLanguage} most={most} isHollow />
              </Link>
            )}
          </li>
        )}
      </ol>
    </section>
  );
}

function Entry(entry: { name: string; count: number; most: number; isHollow?: boolean }) {
  const { name, count, most, isHollow = false } = entry;
  return (
    <>
      <span className="one-line">{name}</span>
      <ShareBar part={count / most} isHollow={isHollow} />
      <span className={lists['figure']}>
        {formatCount(count)}
        <span className="visually-hidden"> {posts(count)}</span>
      </span>
    </>
  );
}
