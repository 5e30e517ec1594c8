import type { Post, Reference } from '@archive/contracts';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { formatDay } from '../../lib/format.ts';
import { formatClock, formatMoment } from '../../lib/format-moment.ts';
import { QuoteIcon } from '../../ui/later-icons.tsx';
import { OriginalLink } from './original-link.tsx';
import { PostWords } from './post-words.tsx';
import styles from './thread.module.css';
import type { ThreadEntry } from './thread-entries.ts';

interface ThreadProps {
  entries: readonly ThreadEntry[];
  /** The post that the page is about. */
  post: Post;
  terms: readonly string[];
  reactions: ReactNode;
}

/** An author's thread in order. The current post is marked; a missing post has a reason. */
export function Thread({ entries, post, terms, reactions }: ThreadProps) {
  const asked = useRef<HTMLLIElement>(null);
  useLayoutEffect(() => {
    const item = asked.current;
    if (item !== null && item.getBoundingClientRect().top > window.innerHeight)
      item.scrollIntoView({ block: 'center' });
  }, []);

  return (
    <ol className={styles['thread']} aria-label="Thread">
      {entries.map((entry, index) => {
        const place = `${index + 1} of ${entries.length}`;
        if (entry.post === null) {
          return (
            <li key={entry.missing.id} className={styles['entry']} data-kind="missing">
              <Tombstone missing={entry.missing} />
              <p className={styles['meta']}>{place}</p>
            </li>
          );
        }
        // Uses the page's copy of the post: its reactions may be newer.
        const isAsked = entry.post._id === post._id;
        const shown = isAsked ? post : entry.post;
        const before = entries.slice(0, index).findLast(({ post: other }) => other !== null)?.post;
        const isSameDay = before != null && formatDay(before.timestamp) === formatDay(shown.timestamp);
        return (
          <li
            key={shown._id}
            className={styles['entry']}
            {...(isAsked ? { 'data-kind': 'asked', 'aria-current': 'true', ref: asked } : {})}
          >
            {isAsked && (
              <p className={styles['label']}>
                <QuoteIcon size={14} filled />
                This post
              </p>
            )}
            <PostWords post={shown} size={isAsked ? 'medium' : 'long'} terms={terms} />
            {isAsked && reactions}
            <p className={styles['meta']}>
              <span>
                {place}
                <span aria-hidden="true"> · </span>
                <time dateTime={shown.timestamp}>
                  {isSameDay && !isAsked ? formatClock(shown.timestamp) : formatMoment(shown.timestamp)}
                </time>
              </span>
              {isAsked && <OriginalLink address={shown.url} author={shown.author} className="word-link" long />}
            </p>
          </li>
        );
      })}
    </ol>
  );
}

const WHY: Record<Reference['state'], [title: string, detail: string]> = {
  deleted: ['Deleted by its author', 'Its words are no longer shown.'],
  protected: ['Protected by its author', 'Only some people may read it.'],
  unknown: ['Not kept here', 'Nobody has asked for it, or it could not be had.'],
  kept: ['Kept elsewhere', 'It stands on a page of its own.'],
};

function Tombstone({ missing }: { missing: Reference }) {
  const [title, detail] = WHY[missing.state];
  return (
    <div className={styles['tombstone']}>
      <b>{title}</b>
      {detail}
    </div>
  );
}
