import { ApiError } from '@archive/client';
import { COLLECTION_NAME_LENGTH, type Collection } from '@archive/contracts';
import { type FormEvent, useState } from 'react';
import { useSWRConfig } from 'swr';
import { callApi } from '../../lib/api.ts';
import buttons from '../../ui/button.module.css';
import { Modal } from '../../ui/modal.tsx';
import { endDeadSession } from '../../wallet/session.ts';
import { refreshSessionAnswer } from '../../wallet/session-answer.ts';
import { walletState } from '../../wallet/wallet-store.ts';
import styles from './collections.module.css';

interface CollectionFormProps {
  /** The collection to change; undefined for a new one. */
  collection?: Collection;
  onDone?: (collection: Collection) => void;
  onClose: () => void;
}

/** A form for a collection's name and visibility. */
export function CollectionForm({ collection, onDone, onClose }: CollectionFormProps) {
  const [name, setName] = useState(collection?.name ?? '');
  const [isPublic, setIsPublic] = useState(collection?.isPublic ?? false);
  const [problem, setProblem] = useState<string | null>(null);
  const [isSaving, setIsSaving] = useState(false);
  const [isDone, setIsDone] = useState(false);
  const { mutate } = useSWRConfig();
  const title = collection ? 'Change collection' : 'New collection';

  async function save(event: FormEvent) {
    event.preventDefault();
    if (isSaving) return;
    const { token } = walletState();
    if (token === null) return setProblem('Please sign in first.');
    if (name.trim() === '') return setProblem('A collection needs a name.');
    setIsSaving(true);
    setProblem(null);
    try {
      const body = { name, isPublic };
      const saved = collection
        ? await callApi('changeCollection', { token, params: { collection: collection._id }, body })
        : await callApi('createCollection', { token, body });
      refreshSessionAnswer('listCollections', mutate);
      onDone?.(saved);
      setIsDone(true);
    } catch (error) {
      endDeadSession(error);
      setIsSaving(false);
      setProblem(
        error instanceof ApiError && error.status < 500 ? error.message : 'It could not be saved. Please try again.',
      );
    }
  }

  return (
    <Modal title={title} size="small" onClose={onClose} isHeld={isSaving && !isDone} isDone={isDone}>
      <form className={styles['form']} onSubmit={(event) => void save(event)}>
        <label className="field">
          <span>Name</span>
          <input
            type="text"
            data-first
            dir="auto"
            maxLength={COLLECTION_NAME_LENGTH}
            value={name}
            aria-invalid={problem !== null}
            onChange={({ target }) => setName(target.value)}
          />
        </label>
        <label className={styles['choice']}>
          <input type="checkbox" checked={isPublic} onChange={({ target }) => setIsPublic(target.checked)} />
          <span>
            Public by link
            <small>Whoever has its link can read it. It is listed nowhere.</small>
          </span>
        </label>
        {problem !== null && (
          <p role="alert" className={styles['problem']}>
            {problem}
          </p>
        )}
        <button type="submit" className={buttons['primary']} aria-disabled={isSaving}>
          {collection ? 'Save' : 'Make collection'}
        </button>
      </form>
    </Modal>
  );
}
