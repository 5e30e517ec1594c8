import type { Post } from '@archive/contracts';
import type { ReactNode } from 'react';
import { useAnswer } from '../../lib/api.ts';
import buttons from '../../ui/button.module.css';
import { CategoryBead } from '../../ui/category-bead.tsx';
import { DiceIcon } from '../../ui/later-icons.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from './random-post.module.css';

interface RandomPostProps {
  /** Renders the post's words with this class, and the link that opens it. */
  words: (post: Post, className: string | undefined) => ReactNode;
  picture: (post: Post, className: string | undefined) => ReactNode;
  author: (post: Post) => ReactNode;
}

/** At most so many requests per press, until the answer differs from the current post. */
const TRIES = 3;

/** A random post, and a button for another one. The height is fixed, so that nothing below it moves. */
export function RandomPost({ words, picture, author }: RandomPostProps) {
  // The post stays until the visitor asks for another one, also after a return to the page.
  const { data, error, isValidating, mutate } = useAnswer(
    'random',
    {},
    { revalidateIfStale: false, revalidateOnFocus: false, revalidateOnReconnect: false },
  );

  async function showAnother() {
    for (let tries = 0; tries < TRIES; tries++) {
      const next = await mutate().catch(() => undefined);
      if (next?._id !== data?._id) return;
    }
  }

  return (
    <section className={styles['random']} aria-labelledby="random-post" aria-busy={isValidating}>
      <h2 id="random-post" className={styles['label']}>
        A random post
      </h2>
      {data === undefined && error !== undefined ? (
        <div className={styles['failed']}>
          <Notice title="A post could not be picked." detail="They are all safe." onRetry={() => void mutate()} />
        </div>
      ) : (
        <article className={styles['post']} aria-live="polite">
          <div className={styles['open']}>
            {data && words(data, styles['words'])}
            {data && !data.sensitive && picture(data, styles['picture'])}
          </div>
          <div className={styles['foot']}>
            {data ? (
              <div className={styles['by']}>
                {author(data)}
                {data.category !== null && <CategoryBead category={data.category} />}
              </div>
            ) : (
              <p role="status" className="visually-hidden">
                Picking a post...
              </p>
            )}
            <button
              type="button"
              className={`${buttons['plain']} ${styles['another']}`}
              onClick={() => void showAnother()}
            >
              <DiceIcon />
              Another one
            </button>
          </div>
        </article>
      )}
    </section>
  );
}
