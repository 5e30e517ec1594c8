import type { Post } from '@archive/contracts';
import { type KeyboardEvent, useState } from 'react';
import { createPortal } from 'react-dom';
import buttons from '../../../ui/button.module.css';
import { ChevronLeftIcon, ChevronRightIcon, OutIcon } from '../../../ui/icons.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { writingProps } from '../../../ui/post-text.tsx';
import { AuthorLine } from '../author-line.tsx';
import styles from './picture-viewer.module.css';

interface PictureViewerProps {
  post: Post;
  /** The index of the media that is shown first. */
  first: number;
  onClose: () => void;
}

/** Shows one picture in full; the arrows lead to the other pictures of its post. */
export function PictureViewer({ post, first, onClose }: PictureViewerProps) {
  const pictures = post.media.filter(({ type, url }) => type === 'image' && url !== null);
  const opened = post.media[first];
  const [at, setAt] = useState(Math.max(0, opened === undefined ? 0 : pictures.indexOf(opened)));
  const picture = pictures[at];
  if (picture === undefined) return null;

  const show = (next: number) => setAt(Math.min(Math.max(next, 0), pictures.length - 1));

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    event.preventDefault();
    show(at + (event.key === 'ArrowLeft' ? -1 : 1));
  }

  return createPortal(
    <Modal
      title="Picture"
      kind="viewer"
      onClose={onClose}
      heading={
        <>
          <span className="visually-hidden">
            Picture {at + 1} of {pictures.length}, by{' '}
          </span>
          <AuthorLine post={post} terms={[]} size={40} showDate />
        </>
      }
      tools={
        <>
          {pictures.length > 1 && (
            <span className={styles['place']} aria-hidden="true">
              {at + 1} of {pictures.length}
            </span>
          )}
          <a
            className={`${buttons['plain']} ${styles['original']}`}
            href={picture.url ?? undefined}
            target="_blank"
            rel="noopener noreferrer"
          >
            <OutIcon size={13} />
            Original size<span className="visually-hidden">, in a new tab</span>
          </a>
        </>
      }
      onKeyDown={onKeyDown}
    >
      <div className={styles['stage']}>
        {pictures.length > 1 && (
          <button
            type="button"
            className={`${buttons['plain']} ${styles['step']}`}
            aria-label="Previous picture"
            aria-disabled={at === 0}
            onClick={() => show(at - 1)}
          >
            <ChevronLeftIcon />
          </button>
        )}
        <div
          className={styles['picture']}
          style={picture.preview === null ? undefined : { backgroundImage: `url(${picture.preview})` }}
        >
          <img
            key={at}
            src={picture.url ?? undefined}
            alt={picture.alt ?? ''}
            width={picture.width ?? undefined}
            height={picture.height ?? undefined}
          />
        </div>
        {pictures.length > 1 && (
          <button
            type="button"
            className={`${buttons['plain']} ${styles['step']}`}
            aria-label="Next picture"
            aria-disabled={at === pictures.length - 1}
            onClick={() => show(at + 1)}
          >
            <ChevronRightIcon />
          </button>
        )}
      </div>
      <div className={styles['below']}>
        <div aria-live="polite">
          {picture.alt !== null && (
            <>
              <p className={styles['label']}>Described by its author</p>
              <p className={styles['words']} {...writingProps(picture.alt)}>
                {picture.alt}
              </p>
            </>
          )}
        </div>
        {pictures.length > 1 && (
          <ol className={styles['strip']}>
            {pictures.map(({ preview }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the same picture may stand there twice.
              <li key={index}>
                <button
                  type="button"
                  aria-label={`Picture ${index + 1}`}
                  aria-current={index === at}
                  onClick={() => show(index)}
                >
                  <img src={preview ?? undefined} alt="" width={64} height={44} />
                </button>
              </li>
            ))}
          </ol>
        )}
      </div>
    </Modal>,
    document.body,
  );
}
