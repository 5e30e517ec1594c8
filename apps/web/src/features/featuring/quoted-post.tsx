import { type Archive, CARD_TEXT_LENGTH } from '@archive/contracts';
import { KeptWords, writingProps } from '../../ui/kept-words.tsx';
import styles from './feature-sheet.module.css';

/** The post that is to be featured, in its own words. */
export function QuotedPost({ post }: { post: Archive }) {
  return (
    <blockquote className={styles['quote']}>
      <p className={styles['words']} {...writingProps(post.content)}>
        <KeptWords text={post.content} terms={[]} limit={CARD_TEXT_LENGTH} />
      </p>
      <p className={styles['author']}>
        <bdi>{post.author}</bdi> · <bdi>@{post.authorUsername}</bdi>
      </p>
    </blockquote>
  );
}
