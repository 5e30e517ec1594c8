import { type AnswerOf, REASON_LENGTH, type RemovalSelection } from '@archive/contracts';
import { type FormEvent, type ReactNode, useEffect, useId, useState } from 'react';
import { formatCount } from '../../lib/format.ts';
import buttons from '../../ui/button.module.css';
import { Modal } from '../../ui/modal.tsx';
import { closeAllToasts, showToast } from '../../ui/toasts.tsx';
import styles from './act-dialog.module.css';
import { failureOf, useAdminCall } from './use-admin-call.ts';

/** What the operator entered in the dialog. */
export interface Given {
  /** Undefined if the operator gave none. */
  reason: string | undefined;
  /** The number of posts in the preview; 0 if the act removes none. */
  count: number;
  /** The trimmed value of a field, by its name. */
  value: (name: string) => string;
}

/** An act of an operator that needs a confirmation. */
export interface Act {
  title: string;
  /** What the act changes, and what it keeps. */
  text: string;
  /** The label of the button that confirms. */
  label: string;
  /** Whether the act cannot be undone. */
  isFinal?: boolean;
  /** Further inputs, each with a name. */
  fields?: ReactNode;
  /** The posts that the act removes. The dialog counts and previews them first. */
  takes?: RemovalSelection;
  /** Resolves to the message for the toast. */
  run: (given: Given) => Promise<string>;
}

/** A confirmation dialog for the acts of a page. `ask` opens it; the page renders `dialog` at its end. */
export function useActs(onDone: () => void) {
  const [act, setAct] = useState<Act | null>(null);
  const dialog = act && <ActDialog act={act} onDone={onDone} onClose={() => setAct(null)} />;
  return {
    ask: (next: Act) => {
      // Toasts about earlier acts would cover the dialog.
      closeAllToasts();
      setAct(next);
    },
    dialog,
  };
}

function ActDialog({ act, onDone, onClose }: { act: Act; onDone: () => void; onClose: () => void }) {
  const { title, text, label, isFinal = false, fields, takes, run } = act;
  const [isRunning, setIsRunning] = useState(false);
  const [isDone, setIsDone] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [preview, look] = usePreview(takes, setFailure);
  const form = useId();
  const isReady = takes === undefined || (preview !== null && (preview.count > 0 || preview.aliases > 0));

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isRunning || !isReady) return;
    const data = new FormData(event.currentTarget);
    const value = (name: string) => data.getAll(name).join(' ').trim();
    setIsRunning(true);
    setFailure(null);
    try {
      const said = await run({ reason: value('reason') || undefined, count: preview?.count ?? 0, value });
      showToast('done', said);
      setIsDone(true);
      onDone();
    } catch (error) {
      setFailure(failureOf(error));
      look();
    } finally {
      setIsRunning(false);
    }
  }

  return (
    <Modal
      title={title}
      size="small"
      onClose={onClose}
      isHeld={isRunning}
      isDone={isDone}
      foot={
        <>
          <button type="button" className={buttons['ghost']} onClick={onClose} disabled={isRunning}>
            Cancel
          </button>
          <button
            type="submit"
            form={form}
            className={isFinal ? `${buttons['danger']} ${styles['final']}` : buttons['primary']}
            disabled={isRunning || !isReady}
          >
            {isRunning ? 'Doing it...' : label}
          </button>
        </>
      }
    >
      <form id={form} className={styles['form']} onSubmit={(event) => void submit(event)}>
        <p>{text}</p>
        {takes !== undefined && <RemovalPreview preview={preview} />}
        {fields}
        <label className="field">
          <span>Reason, kept in the log</span>
          <textarea name="reason" rows={2} dir="auto" maxLength={REASON_LENGTH} />
        </label>
        {failure !== null && (
          <p role="alert" className={styles['failure']}>
            {failure}
          </p>
        )}
      </form>
    </Modal>
  );
}

function usePreview(takes: RemovalSelection | undefined, onFailure: (sentence: string) => void) {
  const call = useAdminCall();
  const [preview, setPreview] = useState<AnswerOf<'previewRemoval'> | null>(null);
  const look = () => {
    if (takes === undefined) return;
    call('previewRemoval', { body: { selection: takes } }).then(setPreview, (error) => onFailure(failureOf(error)));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: a dialog is of one act.
  useEffect(look, []);
  return [preview, look] as const;
}

/** A preview of a removal: the number of posts, and a sample. */
export function RemovalPreview({ preview }: { preview: AnswerOf<'previewRemoval'> | null }) {
  if (preview === null) return <p role="status">Counting...</p>;
  const { count, aliases, featured, launched, sample } = preview;
  const told = [
    `${formatCount(count)} ${count === 1 ? 'post' : 'posts'}`,
    ...(featured > 0 ? [`${formatCount(featured)} featured`] : []),
    ...(launched > 0 ? [`${formatCount(launched)} with a token`] : []),
    ...(aliases > 0 ? [`${formatCount(aliases)} second ids of other posts`] : []),
  ];
  return (
    <div className={styles['preview']}>
      <b role="status">{count === 0 && aliases === 0 ? 'Nothing is left of it.' : told.join(', ')}</b>
      <ul>
        {sample.map(({ _id, authorUsername, content }) => (
          <li key={_id}>
            <span>@{authorUsername}</span> <q dir="auto">{content}</q>
          </li>
        ))}
      </ul>
      {count > sample.length && sample.length > 0 && <p>and {formatCount(count - sample.length)} more</p>}
    </div>
  );
}
