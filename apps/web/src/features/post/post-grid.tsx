import type { Post } from '@archive/contracts';
import { PostCard, PostCardSkeleton } from './post-card.tsx';
import styles from './post-grid.module.css';
import type { PostSlots, PostTerms } from './post-slots.ts';

export function PostGrid({ posts, ...rest }: PostSlots & { posts: readonly Post[]; terms: PostTerms }) {
  return (
    <ul className={styles['grid']}>
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
