import { ApiError } from '@archive/client';
import {
  type AnswerOf,
  type Post,
  REPORT_CONTACT_LENGTH,
  REPORT_REASONS,
  REPORT_WORDS_LENGTH,
  type ReportReason,
} from '@archive/contracts';
import { type FormEvent, useId, useState } from 'react';
import { callApi } from '../../lib/api.ts';
import { formatCount } from '../../lib/format.ts';
import { useConfig } from '../../lib/use-config.ts';
import buttons from '../../ui/button.module.css';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Link } from '../../ui/link.tsx';
import { Modal } from '../../ui/modal.tsx';
import { PostText, writingProps } from '../../ui/post-text.tsx';
import styles from './report-dialog.module.css';
import { REASON_CHOICES } from './report-words.ts';

const EXCERPT_LENGTH = 90;

interface ReportDialogProps {
  post: Post;
  /** The reason that is selected at first. */
  preset?: ReportReason | null;
  /** The initial text. */
  begun?: string;
  onClose: () => void;
}

/** Sends a report about a post to the operators, then shows where to follow it. */
export function ReportDialog({ post, preset = null, begun = '', onClose }: ReportDialogProps) {
  const [reason, setReason] = useState<ReportReason | null>(preset);
  const [words, setWords] = useState(begun);
  const [contact, setContact] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [isSending, setIsSending] = useState(false);
  const [isDone, setIsDone] = useState(false);
  const [sent, setSent] = useState<AnswerOf<'createReport'> | null>(null);
  const agent = useConfig()?.agents.find(({ platform }) => platform === post.platform);
  const form = useId();
  const length = Array.from(words).length;

  async function send(event: FormEvent) {
    event.preventDefault();
    if (isSending) return;
    if (reason === null) return setProblem('Choose what is wrong with it.');
    if (length > REPORT_WORDS_LENGTH)
      return setProblem(`Please say it in ${formatCount(REPORT_WORDS_LENGTH)} characters.`);
    setProblem(null);
    setIsSending(true);
    try {
      setSent(await callApi('createReport', { body: { postId: post._id, reason, words, contact } }));
    } catch (error) {
      setProblem(failureSentence(error));
    } finally {
      setIsSending(false);
    }
  }

  if (sent !== null) {
    const address = `${window.location.origin}${sent.statusPath}`;
    return (
      <Modal title="Report sent" size="small" onClose={onClose} isDone={isDone}>
        <div className={styles['sent']} role="status">
          <p>
            Your report is <b>{sent.id}</b>. A person will read it. Follow it at this private link:
          </p>
          <p className={styles['address']}>
            <Link href={sent.statusPath}>{address}</Link>
            <CopyButton text={address} label="Copy the address" />
          </p>
          <p className={styles['note']}>
            {contact === ''
              ? 'Keep the link. It is the only way to see the answer.'
              : 'Keep the link: the answer stands there too.'}
          </p>
        </div>
        <div className={styles['foot']}>
          <button type="button" className={buttons['primary']} onClick={() => setIsDone(true)}>
            Done
          </button>
        </div>
      </Modal>
    );
  }

  return (
    <Modal
      title={preset === 'mine' ? 'Ask for removal' : 'Report this post'}
      size="small"
      onClose={onClose}
      isDone={isDone}
      foot={
        <>
          <button type="button" className={buttons['ghost']} onClick={() => setIsDone(true)}>
            Cancel
          </button>
          <button type="submit" form={form} className={buttons['primary']} aria-disabled={isSending}>
            {isSending ? 'Sending…' : 'Send report'}
          </button>
        </>
      }
    >
      <form id={form} className={styles['form']} onSubmit={(event) => void send(event)}>
        <blockquote className={styles['quote']}>
          <p {...writingProps(post.content)}>
            <PostText text={post.content} terms={[]} limit={EXCERPT_LENGTH} />
          </p>
          <footer>
            <bdi>{post.author}</bdi> · <bdi>@{post.authorUsername}</bdi>
          </footer>
        </blockquote>
        <fieldset className={styles['reasons']}>
          <legend className="visually-hidden">What is wrong with it?</legend>
          {REPORT_REASONS.map((one) => (
            <label key={one}>
              <input
                type="radio"
                name="reason"
                value={one}
                checked={reason === one}
                onChange={() => {
                  setReason(one);
                  setProblem(null);
                }}
              />
              {REASON_CHOICES[one]}
            </label>
          ))}
        </fieldset>
        {reason === 'mine' && agent !== undefined && (
          <p className={styles['note']}>
            Faster, from the account that wrote it: answer your post with “<bdi>@{agent.handle}</bdi> remove”. It is
            gone within a minute.
          </p>
        )}
        <label className="field">
          <span>
            {reason === 'mine' ? 'Only this post, or all of yours?' : 'What should we know?'} <small>Optional</small>
          </span>
          <textarea rows={3} dir="auto" value={words} onChange={({ target }) => setWords(target.value)} />
          <small className={styles['count']}>
            <span>A person reads this. It is never published.</span>
            <span>
              {formatCount(length)} / {formatCount(REPORT_WORDS_LENGTH)}
            </span>
          </small>
        </label>
        <label className="field">
          <span>
            How can we reach you? <small>Optional</small>
          </span>
          <input
            type="text"
            inputMode="email"
            autoComplete="email"
            placeholder="E-mail address or handle"
            maxLength={REPORT_CONTACT_LENGTH}
            value={contact}
            onChange={({ target }) => setContact(target.value)}
          />
        </label>
        {problem !== null && (
          <p role="alert" className={styles['problem']} ref={(shown) => shown?.scrollIntoView({ block: 'nearest' })}>
            {problem}
          </p>
        )}
      </form>
    </Modal>
  );
}

function failureSentence(error: unknown): string {
  if (!(error instanceof ApiError) || error.status === 0 || error.status >= 500) {
    return 'It could not be sent. What you wrote is still here; please try again.';
  }
  if (error.code === 'rate_limited') return 'That is many reports in a short time. Please try again in an hour.';
  return error.message;
}
