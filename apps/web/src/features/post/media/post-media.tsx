import type { Post } from '@archive/contracts';
import { lazyPart } from '../../../ui/lazy-part.tsx';
import styles from './post-media.module.css';

const MediaFrame = lazyPart(() => import('./media-frame.tsx').then((part) => part.MediaFrame));

/**
 * Pictures and videos of a post, in a frame whose size does not depend on loaded data. The frame's contents load with
 * the first post that has media. On its own page a post's frame may be wider or flatter than on a card.
 */
export function PostMedia({ post, place }: { post: Post; place: 'card' | 'page' }) {
  if (post.media.length === 0) return null;
  return (
    <div className={styles['frame']} data-place={place} data-count={Math.min(post.media.length, 4)}>
      <MediaFrame post={post} />
    </div>
  );
}
