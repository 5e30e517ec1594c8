import { ApiError, isServerDown } from '@archive/client';
import { type AnswerOf, ENDPOINTS, PRODUCT_NAME } from '@archive/contracts';
import { useState } from 'react';
import useSWR from 'swr';
import { navigate } from 'wouter/use-browser-location';
import { Pagination } from '../../features/archive/pagination.tsx';
import { CollectionForm } from '../../features/collections/collection-form.tsx';
import { PostGrid, PostGridSkeleton } from '../../features/post/post-grid.tsx';
import { NO_TERMS } from '../../features/post/post-slots.ts';
import { callApi } from '../../lib/api.ts';
import { formatCount } from '../../lib/format.ts';
import { collectionHref } from '../../lib/routes.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { BlankPage } from '../../ui/blank-page.tsx';
import buttons from '../../ui/button.module.css';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DownloadIcon } from '../../ui/icons.tsx';
import { BinIcon, FeedIcon, PencilIcon } from '../../ui/later-icons.tsx';
import { Link } from '../../ui/link.tsx';
import { Notice } from '../../ui/notice.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { withToken } from '../../wallet/session.ts';
import { useWalletState } from '../../wallet/wallet-store.ts';
import { Maintenance } from '../maintenance.tsx';
import styles from './collection-page.module.css';
import { postSlots } from './list-section.tsx';
import { NotFoundPage } from './not-found-page.tsx';

/** An answer, and the session token that it was requested with. */
interface Told {
  token: string | null;
  answer: AnswerOf<'getCollection'>;
}

export function CollectionPage({ id, search }: { id: string; search: string }) {
  const { token, restoring } = useWalletState();
  const page = Math.max(1, Number(new URLSearchParams(search).get('page')) || 1);
  const [isChanging, setIsChanging] = useState(false);
  const params = { collection: id };
  // Only its owner may read a private collection, so the request waits until the session is restored.
  const key = restoring === null ? [ENDPOINTS.getCollection.path, id, page, token] : null;
  const ask = async () => ({ token, answer: await callApi('getCollection', { token, params, query: { page } }) });
  const { data: told, error, mutate } = useSWR<Told>(key, ask, { keepPreviousData: true });
  // An answer for another session's token is not shown.
  const data = told?.token === token ? told.answer : undefined;
  const { collection, data: posts, pagination } = data ?? {};
  const links = { page: collectionHref(id), feeds: `?collection=${id}` };
  usePageTitle(collection && `${collection.name}, ${PRODUCT_NAME}`, collection?.isPublic ? links : undefined);

  if (error instanceof ApiError && error.status === 404) {
    return <NotFoundPage title="No such collection" text="It was deleted, or it is not open to you." />;
  }
  if (isServerDown(error) && data === undefined) return <Maintenance onRetry={() => void mutate()} />;
  if (error !== undefined && data === undefined) {
    return <Notice title="The collection could not be loaded." onRetry={() => void mutate()} />;
  }
  if (!collection || !posts || !pagination) return <PostGridSkeleton count={6} />;

  const hrefOf = (to: number) => collectionHref(id) + (to > 1 ? `?page=${to}` : '');

  async function drop() {
    if (!window.confirm(`Delete “${collection?.name}”? Its posts stay in the archive.`)) return;
    const isDone = await withToken(async (own) => {
      await callApi('dropCollection', { token: own, params });
    });
    if (isDone) navigate('/dashboard');
    else showToast('error', 'The collection could not be deleted. Please try again.');
  }

  return (
    <>
      <header className={styles['head']}>
        <div>
          <h1 data-page-title tabIndex={-1}>
            <bdi>{collection.name}</bdi>
          </h1>
          <p>
            {formatCount(collection.posts)} {collection.posts === 1 ? 'post' : 'posts'} ·{' '}
            {collection.isPublic ? 'public by link' : 'only you can read it'}
          </p>
        </div>
        <div className={styles['tools']}>
          {collection.isPublic && (
            <CopyButton text={window.location.origin + collectionHref(id)} label="Copy the link of this collection" />
          )}
          {collection.isPublic && (
            <a
              className={buttons['plain']}
              href={`${ENDPOINTS.exportCollection.path.replace(':collection', id)}?format=csv`}
              download
            >
              <DownloadIcon />
              Export
            </a>
          )}
          {collection.isPublic && (
            <a className={buttons['plain']} href={ENDPOINTS.feedAtom.path + links.feeds}>
              <FeedIcon />
              Feed
            </a>
          )}
          {collection.isOwn && (
            <>
              <button type="button" className={buttons['plain']} onClick={() => setIsChanging(true)}>
                <PencilIcon />
                Change
              </button>
              <button type="button" className={buttons['ghost']} onClick={() => void drop()}>
                <BinIcon />
                Delete
              </button>
            </>
          )}
        </div>
      </header>
      {posts.length === 0 ? (
        <BlankPage boxed title="Nothing in it yet" text="Open a post and press “Collect” to put it here.">
          <Link href="/" className={buttons['plain']}>
            Browse the archive
          </Link>
        </BlankPage>
      ) : (
        <PostGrid posts={posts} terms={NO_TERMS} {...postSlots} />
      )}
      <Pagination page={page} pages={pagination.pages} hrefOf={hrefOf} onPage={(to) => navigate(hrefOf(to))} />
      {isChanging && (
        <CollectionForm collection={collection} onDone={() => void mutate()} onClose={() => setIsChanging(false)} />
      )}
    </>
  );
}
