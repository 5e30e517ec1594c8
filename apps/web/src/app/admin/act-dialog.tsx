import { type AnswerOf, REASON_LENGTH, type RemovalSelection } from '@archive/contracts';
import { type FormEvent, type ReactNode, useEffect, useId, useState } from 'react';
import { formatCount } from '../../lib/format.ts';
import buttons from '../../ui/button.module.css';
import { Modal } from '../../ui/modal.tsx';
import { closeAllToasts, showToast } from '../../ui/toasts.tsx';
import styles from './act-dialog.module.css';
import { failureOf, useAdminCall } from './use-admin-call.ts';

/** What was said in the dialog of an act. */
export interface Given {
  /** Undefined where none was said. */
  reason: string | undefined;
  /** Of the posts that were looked at first; 0 where the act takes none. */
  count: number;
  /** Of a field by its name, trimmed. */
  value: (name: string) => string;
}

/** Something an operator does, asked for once more. */
export interface Act {
  title: string;
  /** What it does, and what stays. */
  text: string;
  /** Of the button that does it. */
  label: string;
  /** It cannot be undone. */
  isFinal?: boolean;
  /** What else is to be said: inputs, each with a name. */
  fields?: ReactNode;
  /** Posts that go by it: counted and shown first. */
  takes?: RemovalSelection;
  /** Answers what to say when it is done. */
  run: (given: Given) => Promise<string>;
}

/** A dialog for each act of a page: `ask` opens it, `dialog` stands at the end of the page. */
export function useActs(onDone: () => void) {
  const [act, setAct] = useState<Act | null>(null);
  const dialog = act && <ActDialog act={act} onDone={onDone} onClose={() => setAct(null)} />;
  return {
    ask: (next: Act) => {
      // What was said of other things would stand in the dialog.
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

/** What a removal would take: how many, and some of them. */
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
