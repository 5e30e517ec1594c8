import type { PostMedia } from '@archive/contracts';
import { PictureIcon, VideoIcon } from '../../../ui/later-icons.tsx';
import styles from './media-count.module.css';
import { formatLength, mediaWords } from './media-words.ts';

/** The number of pictures and videos of a post; for a single video its length. */
export function MediaCount({ media }: { media: readonly PostMedia[] }) {
  const [first] = media;
  if (first === undefined) return null;
  const Icon = media.every(({ type }) => type === 'video') ? VideoIcon : PictureIcon;
  const length = media.length === 1 && first.type === 'video' ? first.durationMs : null;
  return (
    <span className={styles['count']}>
      <Icon size={15} />
      <span aria-hidden="true">{length === null ? media.length : formatLength(length)}</span>
      <span className="visually-hidden">
        {mediaWords(media)}
        {length !== null && `, ${formatLength(length)}`}
      </span>
    </span>
  );
}
