import { URL_LENGTH } from '@archive/contracts';
import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react';
import { useReadable } from '../../lib/use-config.ts';
import buttons from '../../ui/button.module.css';
import { LinkIcon } from '../../ui/icons.tsx';
import { Notice } from '../../ui/notice.tsx';
import steps from '../../ui/steps.module.css';
import { prefetchWallet } from '../../wallet/wallet-gate.tsx';
import { useWalletState } from '../../wallet/wallet-store.ts';
import styles from './save-form.module.css';
import { isOpen, SAVE_STEPS, saveSentence, stepStates } from './save-words.ts';
import { useSave } from './use-save.ts';

interface SaveFormProps {
  /**
   * The link from the page's address. It is sent only on a press: a link on another site must not use up the wallet's
   * daily limit.
   */
  link: string;
  /** Renders an archived post. */
  keptPost: (archiveId: string) => ReactNode;
}

/** The form for a link, and the progress of its save. */
export function SaveForm({ link, keptPost }: SaveFormProps) {
  const { user } = useWalletState();
  const readable = useReadable();
  const { save, isAsking, error, ask } = useSave();
  const [isEmpty, setIsEmpty] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();

  function submit(event: FormEvent) {
    event.preventDefault();
    const url = field.current?.value.trim() ?? '';
    setIsEmpty(url === '');
    if (url === '') field.current?.focus();
    else void ask(url);
  }

  return (
    <section className={`panel ${styles['panel']}`} aria-label="Save a post">
      <form onSubmit={submit} noValidate>
        <label htmlFor={id}>Link to a post on {readable}</label>
        <div className={styles['row']}>
          <span className={styles['box']}>
            <LinkIcon />
            <input
              id={id}
              ref={field}
              // Not `url`, because phones share text around the link.
              type="text"
              inputMode="url"
              defaultValue={link}
              maxLength={URL_LENGTH}
              placeholder="https://bsky.app/profile/…/post/…"
              autoComplete="off"
              spellCheck={false}
              dir="ltr"
              {...(isEmpty ? { 'aria-invalid': true, 'aria-describedby': `${id}-why` } : {})}
            />
          </span>
          <button
            type="submit"
            className={buttons['primary']}
            disabled={isAsking}
            onPointerEnter={prefetchWallet}
            onFocus={prefetchWallet}
          >
            {isAsking ? 'Saving' : 'Save'}
          </button>
        </div>
        <p id={`${id}-why`} className={styles['hint']}>
          {isEmpty
            ? 'Paste the link of a post first.'
            : user === null
              ? 'Nothing is saved before you press. Free; sign in with a wallet first.'
              : 'Nothing is saved before you press.'}
        </p>
      </form>
      {error !== null && <Notice title={error} detail="Nothing was saved." />}
      {save !== null && (
        <div className={styles['progress']}>
          <h2>
            {isOpen(save)
              ? 'Saving this post'
              : save.reason === 'taken_back'
                ? 'Taken back'
                : save.state === 'failed'
                  ? 'It was not saved'
                  : 'Kept'}
          </h2>
          {isOpen(save) && <span>usually a few seconds</span>}
          <ol className={`${steps['steps']} ${styles['steps']}`} aria-label="Saving">
            {stepStates(save).map((state, at) => {
              const step = SAVE_STEPS[at];
              return (
                <li key={step?.state} data-state={state} aria-current={state === 'current' ? 'step' : undefined}>
                  {state === 'current' ? step?.current : state === 'failed' ? 'Failed' : step?.done}
                  {state === 'coming' && <span className="visually-hidden">, not yet</span>}
                </li>
              );
            })}
          </ol>
          <p role="status" className={save.state === 'failed' ? styles['reason'] : 'visually-hidden'}>
            {saveSentence(save)}
          </p>
          {save.archiveId !== null && save.state !== 'failed' && keptPost(save.archiveId)}
        </div>
      )}
    </section>
  );
}
