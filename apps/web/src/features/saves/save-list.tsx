import type { Save } from '@archive/contracts';
import type { ReactNode } from 'react';
import { formatAgo } from '../../lib/format.ts';
import { safeLink } from '../../lib/safe-links.ts';
import buttons from '../../ui/button.module.css';
import { PlatformMark } from '../../ui/platform-mark.tsx';
import { PostLink } from '../../ui/post-link.tsx';
import styles from './save-list.module.css';
import { SaveMeter } from './save-meter.tsx';
import { SAVE_WAYS, shortAddress } from './save-words.ts';

interface SaveListProps {
  saves: readonly Save[];
  /** Cancels an unfinished request; set for one's own requests only. */
  onTakeBack?: ((save: Save) => void) | undefined;
}

/** A list of save requests, newest first. */
export function SaveList({ saves, onTakeBack }: SaveListProps) {
  const now = Date.now();
  return (
    <table className={styles['list']}>
      <caption className="visually-hidden">Requests to save</caption>
      <thead>
        <tr>
          {['Post', 'How', 'State', 'When'].map((label) => (
            <th key={label} scope="col" data-column={label.toLowerCase()}>
              {label}
            </th>
          ))}
          <td data-column="open" />
        </tr>
      </thead>
      <tbody>
        {saves.map((save) => (
          <tr key={save._id}>
            <td data-column="post">
              <span className={styles['post']}>
                <PlatformMark platform={save.platform} />
                <Address url={save.url} />
              </span>
            </td>
            <td data-column="how">{SAVE_WAYS[save.via]}</td>
            <td data-column="state">
              <SaveMeter save={save} />
            </td>
            <td data-column="when">
              <time dateTime={save.createdAt} title={save.createdAt}>
                {formatAgo(save.createdAt, now)}
              </time>
            </td>
            <td data-column="open">
              {save.archiveId !== null && save.state !== 'failed' && (
                <PostLink id={save.archiveId} className={buttons['word']}>
                  Open<span className="visually-hidden"> the kept post</span>
                </PostLink>
              )}
              {onTakeBack !== undefined && save.state === 'received' && (
                <button type="button" className={buttons['word']} onClick={() => onTakeBack(save)}>
                  Take back
                </button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Address({ url }: { url: string }): ReactNode {
  const link = safeLink(url);
  if (link === null) return <span className={styles['address']}>{shortAddress(url)}</span>;
  return (
    <a href={link} target="_blank" rel="noopener noreferrer" className={styles['address']} title={url}>
      {shortAddress(url)}
      <span className="visually-hidden">, in a new tab</span>
    </a>
  );
}
