import type { Post } from '@archive/contracts';
import { PostText, writingProps } from './post-text.tsx';
import styles from './quoted-post.module.css';

/** The text of the post that a dialog acts on; `limit` in graphemes. */
export function QuotedPost({ post, limit }: { post: Post; limit: number }) {
  return (
    <blockquote className={styles['quote']} dir="auto">
      <p className={styles['words']} {...writingProps(post.content)}>
        <PostText text={post.content} terms={[]} limit={limit} />
      </p>
      <p className={styles['author']}>
        <bdi>{post.author}</bdi> · <bdi>@{post.authorUsername}</bdi>
      </p>
    </blockquote>
  );
}
