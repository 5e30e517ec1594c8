import type { Author, FeedFormat, Platform } from '@archive/contracts';
import { FEED_FORMATS, PLATFORM_NAMES } from '@archive/contracts';
import type { ReactNode } from 'react';
import { formatCount } from '../../lib/format.ts';
import { useConfig } from '../../lib/use-config.ts';
import buttons from '../../ui/button.module.css';
import { CategoryBead } from '../../ui/category-bead.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { FeedIcon } from '../../ui/later-icons.tsx';
import { Panel } from '../../ui/panel.tsx';
import styles from './author-panels.module.css';

const FEED_NAMES: Record<FeedFormat, string> = { atom: 'Atom', rss: 'RSS', json: 'JSON Feed' };

/** The commands that an author may send to the archive's account. The message must contain nothing else. */
const WORDS = [
  ['remove', 'takes away the post you answer'],
  ['remove all', 'takes away every post of yours'],
  ['no archive', 'nothing of yours is kept from now on'],
  ['no tokens', 'no launches from your posts'],
] as const;

const COMPOSE = {
  x: (text: string) => `https://x.com/intent/post?text=${encodeURIComponent(text)}`,
  bluesky: (text: string) => `https://bsky.app/intent/compose?text=${encodeURIComponent(text)}`,
};

/** Posts by category as bars. */
export function CategoriesPanel({ categories }: Pick<Author, 'categories'>) {
  const most = Math.max(...categories.map(({ count }) => count));
  return (
    <Panel title="Categories">
      <ul>
        {categories.map(({ category, count }) => (
          <li key={category} className={styles['category']}>
            <CategoryBead category={category} />
            <span className={styles['track']} aria-hidden="true">
              <span
                style={{
                  inlineSize: `${(count / most) * 100}%`,
                  background: `var(--cat-${category ?? 'none'}-bead)`,
                }}
              />
            </span>
            <span className={styles['count']}>{formatCount(count)}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** How an author has posts removed or stops further saves. Without a running agent, `ask` opens a report instead. */
export function OwnPostsPanel({ platforms, ask }: Pick<Author, 'platforms'> & { ask: ReactNode }) {
  const written = new Set<Platform>(platforms.map(({ platform }) => platform));
  const agents = (useConfig()?.agents ?? []).flatMap(({ platform, handle }) =>
    platform !== 'other' && written.has(platform) ? [{ platform, handle }] : [],
  );
  return (
    <Panel title={agents.length === 0 ? 'Is this you? Ask for removal' : 'Is this you? Remove or block'}>
      <p className={styles['lead']}>
        {agents.length === 0 ? (
          'You decide what is kept. Ask for removal here.'
        ) : (
          <>
            You decide what is kept. Write to{' '}
            {agents.map(({ platform, handle }, at) => (
              <span key={platform}>
                {at > 0 && ' or '}
                <b>
                  <bdi>@{handle}</bdi>
                </b>{' '}
                on {PLATFORM_NAMES[platform]}
              </span>
            ))}{' '}
            from this account, in an answer to a post of yours or a quote of it, with one of these words and nothing
            else.
          </>
        )}
      </p>
      {agents.length > 0 && (
        <dl className={styles['words']}>
          {WORDS.map(([word, effect]) => (
            <div key={word}>
              <dt>{word}</dt>
              <dd>{effect}</dd>
            </div>
          ))}
        </dl>
      )}
      <div className={styles['acts']}>
        {agents.map(({ platform, handle }) => (
          <a
            key={platform}
            className={buttons['plain']}
            href={COMPOSE[platform](`@${handle} `)}
            target="_blank"
            rel="noopener noreferrer"
          >
            Write on {PLATFORM_NAMES[platform]}
            <span className="visually-hidden">, in a new tab</span>
          </a>
        ))}
        {agents.length === 0 ? (
          ask
        ) : (
          <details className={styles['else']}>
            <summary>I no longer have this account</summary>
            <p>Imported posts don’t prove whose they are, so a person checks first.</p>
            {ask}
          </details>
        )}
      </div>
    </Panel>
  );
}

/** The addresses of the author's feeds, to copy into a feed reader. */
export function FeedsPanel({ query }: { query: string }) {
  return (
    <Panel title="Feeds">
      <p className={styles['note']}>The latest 50, whole, with pictures.</p>
      <ul>
        {FEED_FORMATS.map((format) => {
          const path = `/feed.${format}?${query}`;
          return (
            <li key={format} className={styles['feed']}>
              <FeedIcon size={14} />
              <a href={path}>{FEED_NAMES[format]}</a>
              <span className={styles['path']}>{path}</span>
              <CopyButton text={window.location.origin + path} label={`Copy the address of ${FEED_NAMES[format]}`} />
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
