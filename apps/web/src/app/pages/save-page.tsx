import { PRODUCT_NAME } from '@archive/contracts';
import { KeptPost } from '../../features/post/kept-post.tsx';
import { OtherWays } from '../../features/saves/other-ways.tsx';
import { OwnSaves } from '../../features/saves/own-saves.tsx';
import { SaveForm } from '../../features/saves/save-form.tsx';
import { sharedLink } from '../../features/saves/save-words.ts';
import { useConfig } from '../../lib/use-config.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { CheckIcon } from '../../ui/icons.tsx';
import { ShieldIcon } from '../../ui/later-icons.tsx';
import { Link } from '../../ui/link.tsx';
import { SideNote } from '../../ui/side-note.tsx';
import styles from './save-page.module.css';

const KEPT = [
  'The words as they were, with date and link',
  'Pictures and videos, the author’s portrait',
  'What it quotes, and the author’s own posts above it',
  'On Bluesky, the author’s signature',
];

/** The page where a visitor asks for a post to be saved, by pasting its link or sharing it from another app. */
export function SavePage({ search }: { search: string }) {
  usePageTitle(`Save a post, ${PRODUCT_NAME}`);
  const link = sharedLink(search);
  const hasAgent = (useConfig()?.agents.length ?? 0) > 0;
  return (
    <>
      <header className={styles['head']}>
        <h1 data-page-title tabIndex={-1}>
          Save a post
        </h1>
        <p>Paste its link. It is kept word for word with its pictures, dated, and free to search.</p>
      </header>
      <div className={styles['columns']}>
        <div className={styles['main']}>
          <SaveForm key={link} link={link} keptPost={(id) => <KeptPost id={id} />} />
          <OtherWays />
        </div>
        <div className={styles['side']}>
          <OwnSaves />
          <section className="panel">
            <h2>What is kept</h2>
            <ul className={styles['kept']}>
              {KEPT.map((what) => (
                <li key={what}>
                  <CheckIcon size={14} />
                  {what}
                </li>
              ))}
            </ul>
            <div className={styles['note']}>
              <SideNote icon={<ShieldIcon />}>
                {hasAgent
                  ? 'The author decides. One reply takes a post away within a minute, or keeps all of theirs out.'
                  : 'The author decides: under each post they can ask for its removal.'}
              </SideNote>
            </div>
          </section>
          <Link href="/saves" className="word-link">
            All requests to save
          </Link>
        </div>
      </div>
    </>
  );
}
