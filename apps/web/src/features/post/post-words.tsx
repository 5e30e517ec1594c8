import type { Post } from '@archive/contracts';
import { writingProps } from '../../ui/post-text.tsx';
import { LinkCards } from './link-cards.tsx';
import { LinkedText } from './linked-text.tsx';
import { PostMedia } from './media/post-media.tsx';
import { PostQuote } from './post-quote.tsx';
import styles from './post-words.module.css';

interface PostWordsProps {
  post: Post;
  size: 'large' | 'medium' | 'long';
  /** Terms to highlight. */
  terms: readonly string[];
}

/** The whole content of an opened post: text, pictures, links and quoted post. */
export function PostWords({ post, size, terms }: PostWordsProps) {
  return (
    <>
      {post.content !== '' && (
        <p className={styles['words']} data-size={size} {...writingProps(post.content)}>
          <LinkedText text={post.content} links={post.links} terms={terms} />
        </p>
      )}
      <PostMedia post={post} place="page" />
      <div className={styles['below']}>
        <LinkCards post={post} />
        {post.quoted !== null && <PostQuote quoted={post.quoted} />}
      </div>
    </>
  );
}
