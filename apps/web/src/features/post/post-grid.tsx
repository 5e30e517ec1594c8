import type { Post } from '@archive/contracts';
import { PostCard, PostCardSkeleton } from './post-card.tsx';
import styles from './post-grid.module.css';
import type { PostSlots, PostTerms } from './post-slots.ts';

interface PostGridProps extends PostSlots {
  posts: readonly Post[];
  terms: PostTerms;
  /** Where there is no room for three side by side. */
  columns?: 2;
}

export function PostGrid({ posts, columns, ...rest }: PostGridProps) {
  return (
    <ul className={styles['grid']} data-columns={columns}>
      {posts.map((post) => (
        <li key={post._id}>
          <PostCard post={post} {...rest} />
        </li>
      ))}
    </ul>
  );
}

export function PostGridSkeleton({ count }: { count: number }) {
  return (
    <div className={styles['grid']}>
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity but their place.
        <PostCardSkeleton key={index} />
      ))}
    </div>
  );
}
