import { ApiError, isServerDown } from '@archive/client';
import { type Post, PRODUCT_NAME, postTitle } from '@archive/contracts';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { useSWRConfig } from 'swr';
import { useAnswer } from '../../lib/api.ts';
import { listedPost } from '../../lib/post-cache.ts';
import { postHref } from '../../lib/routes.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import buttons from '../../ui/button.module.css';
import { Modal } from '../../ui/modal.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from './opened-post.module.css';
import { FeaturedBand, LaunchedLine, PostDetails } from './post-details.tsx';
import { PostPageLayout } from './post-page-layout.tsx';
import { NO_TERMS, type PostTerms } from './post-slots.ts';
import { type PostSteps, StepButtons, stepByKey } from './post-steps.tsx';
import { ShareButtons } from './share-buttons.tsx';
import { type ThreadEntry, threadEntries } from './thread-entries.ts';
import { useSwipe } from './use-swipe.ts';

export interface OpenedPostProps {
  id: string;
  /** Search terms to highlight. */
  terms?: PostTerms;
  reactions: (post: Post) => ReactNode;
  actions: (post: Post) => ReactNode;
  /** The button that adds the post to a collection: an icon in a dialog's head, a word on a page. */
  collect: (post: Post, isIcon: boolean) => ReactNode;
  /** The button that reports the post. */
  report: (post: Post) => ReactNode;
  /** The button with which the post's author asks for its removal. */
  own: (post: Post) => ReactNode;
  /** The note about a token that was launched from the post. */
  launchedNote: (post: Post) => ReactNode;
  /** Set if the post is shown over a list. */
  onClose?: () => void;
  /** Renders the page for a missing post. Set if the post has its own page. */
  missing?: (words: MissingWords) => ReactNode;
  down?: (reload: () => void) => ReactNode;
  /** Content above and below a post on its own page, and other posts of the author. */
  above?: ReactNode;
  below?: (post: Post) => ReactNode;
  more?: (post: Post) => ReactNode;
  /** For a post over a list: its neighbours, and the query of its own page. */
  steps?: PostSteps | null;
  query?: string;
}

export interface MissingWords {
  title: string;
  text: string;
}

/** A post over the list it was opened from, or on its own page. */
export function OpenedPost(props: OpenedPostProps) {
  const {
    id,
    terms = NO_TERMS,
    reactions,
    actions,
    collect,
    report,
    own,
    launchedNote,
    onClose,
    missing,
    down,
    above,
    below,
    more,
  } = props;
  const { steps = null, query = '' } = props;
  const { post, error, reload } = usePost(id);
  const isAlone = onClose === undefined;
  const entries = useThread(isAlone ? post : undefined);
  usePageTitle(post && postTitle(post));

  const swipe = useSwipe((towards) => (towards === 'left' ? steps?.next?.() : steps?.previous?.()));
  const top = useRef<HTMLDivElement>(null);
  // Scrolls to the top when another post is shown.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it goes by the post.
  useLayoutEffect(() => {
    const scroller = top.current?.parentElement;
    if (scroller) scroller.scrollTop = 0;
  }, [id]);

  const band = post?.featured ? <FeaturedBand post={post} /> : undefined;
  let body: ReactNode = (
    <p role="status" className={styles['waiting']}>
      Loading post...
    </p>
  );
  if (post !== undefined) {
    const note = post.launched ? <LaunchedLine>{launchedNote(post)}</LaunchedLine> : null;
    const parts = { post, terms, reactions: reactions(post), report: report(post), own: own(post), launchedNote: note };
    if (!isAlone) body = <PostDetails key={id} {...parts} query={query} />;
    else if (entries !== undefined) {
      return (
        <>
          {above}
          <PostPageLayout
            {...parts}
            entries={entries}
            title={title(post)}
            band={band}
            actions={
              <>
                {actions(parts.post)}
                {collect(parts.post, false)}
              </>
            }
            more={more?.(post)}
          />
          {below?.(post)}
        </>
      );
    }
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
      <Modal
        title="Post"
        onClose={onClose}
        band={band}
        foot={post && <div className={styles['actions']}>{actions(post)}</div>}
        tools={
          <>
            {steps !== null && <StepButtons steps={steps} />}
            {post !== undefined && collect(post, true)}
            {post !== undefined && <ShareButtons post={post} className={buttons['icon']} />}
          </>
        }
        onKeyDown={(event) => steps && stepByKey(event, steps)}
        returnTo={() => document.querySelector<HTMLElement>(`a[data-post-stop][href="${postHref(id)}"]`)}
        {...swipe}
      >
        <div ref={top} className={error !== undefined && post === undefined ? styles['gap'] : undefined}>
          {body}
        </div>
      </Modal>
    );
  }
  return (
    <article className={styles['alone']}>
      <div className={styles['inside']}>
        {title(post)}
        {body}
      </div>
    </article>
  );
}

function title(post: Post | undefined): ReactNode {
  return (
    <h1 className="visually-hidden" data-page-title tabIndex={-1}>
      Post
      {post !== undefined && (
        <>
          {' '}
          by <bdi>{post.author}</bdi>
        </>
      )}
    </h1>
  );
}

/** The thread of a post; empty if the post has none or the call failed; undefined while loading. */
function useThread(post: Post | undefined): ThreadEntry[] | undefined {
  const isOne = post !== undefined && post.thread !== null;
  const { data, error } = useAnswer('getThread', isOne ? { params: { id: post._id } } : null);
  if (!isOne || error !== undefined) return post && [];
  return data && threadEntries(data.data);
}

/** The post from a cached list first, then from the archive. */
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
  // If the server is down, the cached post stays. Any other error may mean that the post is gone.
  return {
    post: error === undefined || isServerDown(error) ? data : undefined,
    error: error as unknown,
    reload: () => void mutate(),
  };
}

function missingWords(error: unknown): MissingWords | null {
  if (!(error instanceof ApiError)) return null;
  if (error.status === 410) {
    // The server's message says why the post is gone, and since when.
    const text = error.message;
    const deleted = text.match(/^deleted by its author\. (.+)/i);
    if (deleted) return { title: 'Deleted by its author', text: deleted[1] as string };
    return { title: /some people only/i.test(text) ? 'Protected by its author' : 'This post was removed', text };
  }
  if (error.code === 'post_hidden') {
    return { title: 'This post is hidden', text: 'If all is well, it comes back whole.' };
  }
  if (error.code === 'post_withheld') {
    return { title: 'Not shown for legal reasons', text: `The law does not let ${PRODUCT_NAME} show this post.` };
  }
  if (error.status === 404 || error.status === 400) {
    return { title: 'No post here', text: 'This address holds no post. It may be mistyped, or it was never kept.' };
  }
  return null;
}

function failureSentence(error: unknown): string {
  if (!navigator.onLine) return 'You are offline.';
  return isServerDown(error)
    ? 'We are undergoing server maintenance. We will be back soon.'
    : 'Failed to load data. Please try again later.';
}
