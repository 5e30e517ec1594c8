import type { Post } from '@archive/contracts';
import { startTransition, useEffect, useState } from 'react';
import { pageShown } from '../../lib/page-shown.ts';
import { PostCard, PostCardSkeleton } from './post-card.tsx';
import styles from './post-grid.module.css';
import type { PostSlots, PostTerms } from './post-slots.ts';

interface PostGridProps extends PostSlots {
  posts: readonly Post[];
  terms: PostTerms;
  /** Set if there is no room for three columns. */
  columns?: 2;
}

export function PostGrid({ posts, columns, ...rest }: PostGridProps) {
  const drawn = useDrawn(posts.length);
  return (
    <ul className={styles['grid']} data-columns={columns}>
      {posts.map((post, place) => (
        <li key={post._id}>{place < drawn ? <PostCard post={post} {...rest} /> : <PostCardSkeleton />}</li>
      ))}
    </ul>
  );
}

/** The cards in view on a page that just loaded; on a phone they are in one column. */
const FIRST_CARDS = 3;
const FIRST_ON_PHONES = 2;
const CARDS_AT_ONCE = 3;
/** Whether a grid has been rendered completely. Later grids render at once, so that nothing moves on the way back. */
let isSettled = false;

/**
 * The number of cards to render. The first grid of a page renders a few at a time, so that the page stays responsive.
 */
function useDrawn(count: number): number {
  const first = window.innerWidth < 640 ? FIRST_ON_PHONES : FIRST_CARDS;
  const [drawn, setDrawn] = useState(isSettled ? Number.POSITIVE_INFINITY : first);
  const isWhole = drawn >= count;
  useEffect(() => {
    if (isWhole) isSettled = true;
    if (isWhole) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    void pageShown().then(() => {
      if (!isOver) timer = setTimeout(() => startTransition(() => setDrawn(drawn + CARDS_AT_ONCE)));
    });
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [drawn, isWhole]);
  return drawn;
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
