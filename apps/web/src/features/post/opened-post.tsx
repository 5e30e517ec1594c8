import { ApiError, isServerDown } from '@archive/client';
import { type Post, PRODUCT_NAME } from '@archive/contracts';
import type { ReactNode } from 'react';
import { useSWRConfig } from 'swr';
import { useAnswer } from '../../lib/api.ts';
import { listedPost } from '../../lib/post-cache.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import modal from '../../ui/modal.module.css';
import { Modal } from '../../ui/modal.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from './opened-post.module.css';
import { FeaturedBand, PostDetails } from './post-details.tsx';

export interface OpenedPostProps {
  id: string;
  reactions: (post: Post) => ReactNode;
  actions: (post: Post) => ReactNode;
  /** What is said where a token came from the post. */
  launchedNote: (post: Post) => ReactNode;
  /** Where it lies over a list. */
  onClose?: () => void;
  /** Where it stands alone: what is drawn when there is nothing to show. */
  missing?: (words: MissingWords) => ReactNode;
  down?: (reload: () => void) => ReactNode;
}

export interface MissingWords {
  title: string;
  text: string;
}

/** A post over the list it was opened from, or alone on a page. */
export function OpenedPost({ id, reactions, actions, launchedNote, onClose, missing, down }: OpenedPostProps) {
  const { post, error, reload } = usePost(id);
  usePageTitle(post === undefined ? `Post, ${PRODUCT_NAME}` : `${post.author} in ${PRODUCT_NAME}`);

  const band = post?.featured ? <FeaturedBand post={post} /> : undefined;
  const foot = post === undefined ? undefined : actions(post);
  let body: ReactNode = (
    <p role="status" className={styles['waiting']}>
      Loading post...
    </p>
  );
  if (post !== undefined) {
    body = <PostDetails post={post} reactions={reactions(post)} launchedNote={launchedNote(post)} />;
  } else if (error !== undefined) {
    const words = missingWords(error);
    if (words !== null && missing !== undefined) return missing(words);
    if (words === null && isServerDown(error) && down !== undefined) return down(reload);
    body =
      words !== null ? (
        <Notice title={words.title} detail={words.text} />
      ) : (
        <Notice title={failureSentence(error)} detail="The post is kept." onRetry={reload} />
      );
  }

  if (onClose !== undefined) {
    return (
      <Modal title="Post" onClose={onClose} band={band} foot={foot}>
        {error !== undefined && post === undefined ? <div className={styles['gap']}>{body}</div> : body}
      </Modal>
    );
  }
  return (
    <article className={styles['alone']}>
      {band}
      <div className={styles['inside']}>
        <h1 className={`${modal['title']} ${styles['title']}`} data-page-title tabIndex={-1}>
          Post
          {post !== undefined && (
            <span className="visually-hidden">
              {' '}
              by <bdi>{post.author}</bdi>
            </span>
          )}
        </h1>
        {body}
      </div>
      {foot !== undefined && <footer className={modal['foot']}>{foot}</footer>}
    </article>
  );
}

/** As listed at first, where it was, then as the archive has it now. */
function usePost(id: string) {
  const { cache } = useSWRConfig();
  const known = listedPost(id, cache);
  const { data, error, mutate } = useAnswer(
    'getArchive',
    { params: { id } },
    {
      ...(known === undefined ? {} : { fallbackData: known }),
    },
  );
  return { post: error === undefined ? data : undefined, error: error as unknown, reload: () => void mutate() };
}

function missingWords(error: unknown): MissingWords | null {
  if (!(error instanceof ApiError)) return null;
  if (error.status === 410) {
    return { title: 'This post was removed', text: 'It is no longer part of the archive.' };
  }
  if (error.status === 404 || error.status === 400) {
    return { title: 'Post not found', text: 'The archive holds no post under this address.' };
  }
  return null;
}

function failureSentence(error: unknown): string {
  return isServerDown(error)
    ? 'We are undergoing server maintenance. We will be back soon.'
    : 'Failed to load data. Please try again later.';
}
