import { PRODUCT_NAME } from '@archive/contracts';
import type { MouseEvent, ReactNode } from 'react';
import { useConfig } from '../../lib/use-config.ts';
import buttons from '../../ui/button.module.css';
import { CopyButton } from '../../ui/copy-button.tsx';
import { AtIcon, BookmarkIcon, ShareIcon } from '../../ui/later-icons.tsx';
import { Mark } from '../../ui/mark.tsx';
import panel from '../../ui/panel.module.css';
import { PlatformMark } from '../../ui/platform-mark.tsx';
import { showToast } from '../../ui/toasts.tsx';
import styles from './other-ways.module.css';

/** Ways to request a save from outside this site. */
export function OtherWays() {
  const agents = useConfig()?.agents ?? [];
  return (
    <section aria-labelledby="other-ways">
      <h2 id="other-ways" className={styles['title']}>
        Other ways to ask
      </h2>
      <div className={styles['ways']}>
        {agents.length > 0 && (
          <Way icon={<AtIcon size={15} />} title="Where you read it" isWide>
            <p>
              Quote the post, or reply to it, and write to{' '}
              {agents.map(({ platform, handle }, index) => (
                <span key={platform}>
                  {index > 0 && ' or '}
                  <b className={styles['agent']}>
                    <bdi>@{handle}</bdi> <PlatformMark platform={platform} />
                  </b>
                </span>
              ))}
              . Any of these words will do: <b>archive</b>, <b>save</b>, <b>keep</b>. Add <b>thread</b> and all of the
              author’s thread comes too.
            </p>
            <p className={styles['note']}>You get one answer, with the link.</p>
          </Way>
        )}
        <Way icon={<BookmarkIcon size={15} />} title="From your browser">
          <p>Drag it to your bookmarks. Press it on any post.</p>
          <Bookmarklet />
        </Way>
        <Way icon={<ShareIcon size={15} />} title="From your phone">
          <p>
            Install {PRODUCT_NAME} from the menu of your browser, then choose it where you share a post. Works in Chrome
            and Edge on Android.
          </p>
        </Way>
      </div>
    </section>
  );
}

interface WayProps {
  icon: ReactNode;
  title: string;
  isWide?: boolean;
  children: ReactNode;
}

function Way({ icon, title, isWide = false, children }: WayProps) {
  return (
    <div className={`panel ${styles['way']}`} data-wide={isWide}>
      <span className={panel['pebble']}>{icon}</span>
      <h3>{title}</h3>
      {children}
    </div>
  );
}

/** The content policy forbids running it on this page, so a press explains what to do with it. */
function Bookmarklet() {
  const code = `javascript:location='${window.location.origin}/save?url='+encodeURIComponent(location)`;
  return (
    <div className={styles['drop']}>
      <a
        className={`${buttons['plain']} ${styles['bookmark']}`}
        href="/save"
        ref={(link) => {
          // Set directly, because React refuses a `javascript:` address.
          link?.setAttribute('href', code);
        }}
        onClick={sayWhatToDo}
      >
        <Mark size={16} />
        Save to {PRODUCT_NAME}
      </a>
      <p className={styles['copy']}>
        or copy its address
        <CopyButton text={code} label="Copy the address of the bookmark" />
      </p>
    </div>
  );
}

function sayWhatToDo(event: MouseEvent): void {
  event.preventDefault();
  showToast('done', 'Drag it to your bookmarks, or copy its address into a new one.');
}
