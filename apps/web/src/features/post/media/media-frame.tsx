import type { Post } from '@archive/contracts';
import { useState } from 'react';
import buttons from '../../../ui/button.module.css';
import { EyeOffIcon } from '../../../ui/later-icons.tsx';
import { lazyPart } from '../../../ui/lazy-part.tsx';
import { AltText } from './alt-text.tsx';
import { MediaCell } from './media-cell.tsx';
import styles from './media-frame.module.css';
import { mediaWords } from './media-words.ts';

const PictureViewer = lazyPart(() => import('./picture-viewer.tsx').then((part) => part.PictureViewer));

/** Pictures shown on a card. A badge on the last one counts the rest. */
const SHOWN = 4;

/** The pictures of a post. Sensitive ones are not loaded before a press. */
export function MediaFrame({ post }: { post: Post }) {
  const [isCovered, setIsCovered] = useState(post.sensitive);
  const [opened, setOpened] = useState<number | null>(null);
  const { media } = post;

  if (isCovered) {
    return (
      <div className={styles['cover']}>
        <EyeOffIcon size={18} />
        <p>
          <b>{mediaWords(media, 'sensitive')}</b>
          Marked by its author.
        </p>
        <button type="button" className={`${buttons['plain']} ${styles['show']}`} onClick={() => setIsCovered(false)}>
          Show<span className="visually-hidden"> {mediaWords(media, 'sensitive')}</span>
        </button>
      </div>
    );
  }
  return (
    <>
      <div className={styles['grid']} data-count={Math.min(media.length, SHOWN)}>
        {media.slice(0, SHOWN).map((one, index) => (
          <MediaCell
            // biome-ignore lint/suspicious/noArrayIndexKey: the same picture may stand there twice, and nothing moves.
            key={index}
            media={one}
            place={`${index + 1} of ${media.length}`}
            post={post}
            more={index === SHOWN - 1 ? media.length - SHOWN : 0}
            onOpen={() => setOpened(index)}
          />
        ))}
      </div>
      <AltText media={media} />
      {opened !== null && <PictureViewer post={post} first={opened} onClose={() => setOpened(null)} />}
    </>
  );
}
