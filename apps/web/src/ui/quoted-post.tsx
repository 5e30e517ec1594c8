import type { Archive } from '@archive/contracts';
import { KeptWords, writingProps } from './kept-words.tsx';
import styles from './quoted-post.module.css';

/** The post that something is about to be done with, in its own words; `limit` in graphemes. */
export function QuotedPost({ post, limit }: { post: Archive; limit: number }) {
  return (
    <blockquote className={styles['quote']} dir="auto">
      <p className={styles['words']} {...writingProps(post.content)}>
        <KeptWords text={post.content} terms={[]} limit={limit} />
      </p>
      <p className={styles['author']}>
        <bdi>{post.author}</bdi> · <bdi>@{post.authorUsername}</bdi>
      </p>
    </blockquote>
  );
}
