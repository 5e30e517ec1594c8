import type { Post } from '@archive/contracts';
import { type MouseEvent, useId } from 'react';
import { PostLink } from '../../ui/post-link.tsx';
import texts from '../../ui/post-text.module.css';
import { writingProps } from '../../ui/post-text.tsx';
import { excerpt } from './excerpt.ts';
import { LinkedText } from './linked-text.tsx';
import styles from './post-opener.module.css';

interface PostOpenerProps {
  post: Post;
  terms: readonly string[];
  /** Graphemes of the text that are shown. */
  limit: number;
  className: string | undefined;
  length?: string;
}

/**
 * The text of a card, and the link that covers the card and opens the post. The text is above that link, so that it can
 * be selected and can contain links. Any other press on it is passed to the covering link.
 */
export function PostOpener({ post, terms, limit, className, length }: PostOpenerProps) {
  const id = useId();
  const { content, links } = post;
  return (
    <div className={styles['opener']}>
      <PostLink id={post._id} className={styles['cover']} labelledBy={id} isStop />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys and readers have the link. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: keys and readers have the link. */}
      <span
        id={id}
        className={`${styles['words']} ${className}`}
        data-length={length}
        onClick={passOn}
        onAuxClick={passOn}
        {...writingProps(content)}
      >
        {content === '' ? (
          <span className={texts['none']}>Without words</span>
        ) : (
          <LinkedText text={content} links={links} terms={terms} part={excerpt(content, terms, limit)} />
        )}
      </span>
    </div>
  );
}

function passOn(event: MouseEvent<HTMLElement>): void {
  const { button, ctrlKey, metaKey, shiftKey } = event;
  if (button > 1 || (event.target as Element).closest('a') !== null || isSelected(event.currentTarget)) return;
  const stop = event.currentTarget.previousElementSibling as HTMLElement;
  stop.focus({ preventScroll: true });
  // The middle button opens another tab.
  const isApart = button === 1;
  stop.dispatchEvent(
    new window.MouseEvent('click', {
      bubbles: true,
      cancelable: true,
      ctrlKey: ctrlKey || isApart,
      metaKey: metaKey || isApart,
      shiftKey,
    }),
  );
}

function isSelected(words: Element): boolean {
  const selection = window.getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(words, true);
}
