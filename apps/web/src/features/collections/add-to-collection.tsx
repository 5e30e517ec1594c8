import { ApiError } from '@archive/client';
import type { Collection, Post } from '@archive/contracts';
import { useState } from 'react';
import { useSWRConfig } from 'swr';
import { callApi } from '../../lib/api.ts';
import { BookmarkIcon, PlusIcon } from '../../ui/later-icons.tsx';
import { Modal } from '../../ui/modal.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { endDeadSession } from '../../wallet/session.ts';
import { refreshSessionAnswer } from '../../wallet/session-answer.ts';
import { walletState } from '../../wallet/wallet-store.ts';
import { CollectionForm } from './collection-form.tsx';
import styles from './collections.module.css';
import { useOwnCollections } from './own-collections.ts';

/** A dialog that adds a post to a collection of the signed-in person, or to a new one. */
export function AddToCollection({ post, onClose }: { post: Post; onClose: () => void }) {
  const { collections, error } = useOwnCollections();
  const [isMaking, setIsMaking] = useState(false);
  const [isDone, setIsDone] = useState(false);
  const { mutate } = useSWRConfig();

  async function add({ _id, name }: Collection) {
    const { token } = walletState();
    try {
      await callApi('addToCollection', { token, params: { collection: _id, id: post._id } });
      refreshSessionAnswer('listCollections', mutate);
      showToast('done', `Put into “${name}”.`);
      setIsDone(true);
    } catch (failure) {
      endDeadSession(failure);
      const isTold = failure instanceof ApiError && failure.status < 500 && failure.status !== 0;
      showToast('error', isTold ? failure.message : 'It could not be put there. Please try again.');
    }
  }

  if (isMaking) return <CollectionForm onClose={() => setIsMaking(false)} onDone={(made) => void add(made)} />;
  return (
    <Modal title="Put into a collection" size="small" onClose={onClose} isDone={isDone}>
      {collections === undefined && (
        <p role="status">{error === undefined ? 'Loading collections...' : 'Your collections could not be loaded.'}</p>
      )}
      <ul className={styles['list']}>
        {collections?.map((collection) => (
          <li key={collection._id}>
            <button type="button" onClick={() => void add(collection)}>
              <BookmarkIcon size={15} />
              <bdi className="one-line">{collection.name}</bdi>
              <span className={styles['note']}>{collection.posts}</span>
            </button>
          </li>
        ))}
        <li>
          <button type="button" onClick={() => setIsMaking(true)}>
            <PlusIcon size={15} />
            New collection
          </button>
        </li>
      </ul>
    </Modal>
  );
}
