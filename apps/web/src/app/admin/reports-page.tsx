import type { ReportedPost } from '@archive/contracts';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import buttons from '../../ui/button.module.css';
import { ChevronLeftIcon, ChevronRightIcon } from '../../ui/icons.tsx';
import { Modal } from '../../ui/modal.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PostText, writingProps } from '../../ui/post-text.tsx';
import segments from '../../ui/segments.module.css';
import { closeAllToasts } from '../../ui/toasts.tsx';
import heads from './admin-head.module.css';
import type { AdminPageProps } from './admin-page-props.ts';
import { BlockPicture } from './block-picture.tsx';
import { ReportList } from './report-list.tsx';
import { REASON_NAMES } from './report-names.ts';
import { ReportPanel } from './report-panel.tsx';
import { ReportedPostView } from './reported-post-view.tsx';
import styles from './reports-page.module.css';
import { type Decision, useReportQueue } from './use-report-queue.ts';

const KEYS = [
  ['j k', 'next, previous'],
  ['h', 'hide the post'],
  ['l', 'for legal reasons, before hiding'],
  ['d', 'dismiss the reports'],
  ['r', 'remove the post for good, then Enter'],
  ['s', 'show its pictures'],
  ['p', 'block one picture for good'],
  ['a', 'write the answer'],
  ['u', 'undo the last act'],
  ['/', 'find among these'],
  ['Esc', 'back from a field to the keys'],
] as const;
const SAMPLE_LENGTH = 140;
const NOTHING: Omit<Decision, 'act'> = { law: false, reason: '', answer: '' };

/** The queue of reported posts, with keyboard shortcuts. */
export function ReportsPage({ me }: AdminPageProps) {
  const [state, setState] = useState<'open' | 'done'>('open');
  const queue = useReportQueue(state);
  const [words, setWords] = useState('');
  const [view, setView] = useState<'one' | 'list'>('one');
  const [draft, setDraft] = useState(NOTHING);
  const [isAnswering, setIsAnswering] = useState(false);
  const [arePicturesShown, setArePicturesShown] = useState(false);
  const [asks, setAsks] = useState<'remove' | 'picture' | 'keys' | null>(null);
  const isAdmin = me.role === 'admin';

  const found = useMemo(() => {
    const wanted = words.trim().toLowerCase();
    return wanted === '' ? queue.items : queue.items.filter((item) => textOf(item).includes(wanted));
  }, [queue.items, words]);
  const shown = queue.items[queue.at];
  const item = shown !== undefined && found.includes(shown) ? shown : found[0];

  // Resets the draft when another post is shown. State is set during render: an effect would run too late, and a fast
  // key press could decide the next post with this post's draft.
  const [judged, setJudged] = useState(item?._id);
  if (judged !== item?._id) {
    setJudged(item?._id);
    setDraft(NOTHING);
    setIsAnswering(false);
    setArePicturesShown(false);
    setAsks(null);
  }

  const select = (one: ReportedPost) => {
    queue.select(queue.items.indexOf(one));
    setView('one');
  };
  const move = (by: 1 | -1) => {
    const next = found[(item ? found.indexOf(item) : 0) + by];
    if (next) select(next);
  };
  const decide = (act: Decision['act']) => {
    if (item === undefined || state !== 'open') return;
    queue.decide(item, { act, ...draft });
    setAsks(null);
  };
  const open = (dialog: 'remove' | 'picture') => {
    // Toasts about earlier posts would cover the dialog.
    closeAllToasts();
    setAsks(dialog);
  };
  const press = (key: string): boolean => {
    switch (key) {
      case 'j':
      case 'k':
        move(key === 'j' ? 1 : -1);
        return true;
      case 'h':
        decide('hide');
        return true;
      case 'd':
        decide('dismiss');
        return true;
      case 'r':
        if (isAdmin && item !== undefined && state === 'open') open('remove');
        return true;
      case 'l':
        setDraft((old) => ({ ...old, law: !old.law }));
        return true;
      case 's':
        setArePicturesShown((old) => !old);
        return true;
      case 'p':
        if (isAdmin && (item?.post?.media.length ?? 0) > 0) open('picture');
        return true;
      case 'a':
        setIsAnswering(true);
        return true;
      case 'u':
        void queue.undo();
        return true;
      case '?':
        setAsks('keys');
        return true;
      default:
        return false;
    }
  };
  useKeys(press);

  return (
    <>
      <header className={heads['head']} aria-busy={queue.sending > 0}>
        <h1 data-page-title tabIndex={-1}>
          Reports
          <small>{queue.state === 'ready' && `${queue.total} ${state}`}</small>
        </h1>
        {queue.sending > 0 && <span className={styles['sending']}>{queue.sending} on the way</span>}
        <fieldset className={`${segments['segments']} ${styles['states']}`}>
          <legend className="visually-hidden">Which reports</legend>
          {(['open', 'done'] as const).map((one) => (
            <button key={one} type="button" aria-pressed={state === one} onClick={() => setState(one)}>
              {one === 'open' ? 'Open' : 'Done'}
            </button>
          ))}
        </fieldset>
      </header>
      {content()}
      <p className={styles['keys']} aria-hidden="true">
        <span>
          <kbd>j</kbd>
          <kbd>k</kbd> next, previous
        </span>
        <span>
          <kbd>u</kbd> undo the last act
        </span>
        <span>
          <kbd>/</kbd> find
        </span>
        <span>
          <kbd>?</kbd> all keys
        </span>
      </p>
      {asks === 'remove' && item !== undefined && (
        <Modal
          title="Remove 1 post for good?"
          size="small"
          onClose={() => setAsks(null)}
          foot={
            <>
              <button type="button" className={buttons['ghost']} onClick={() => setAsks(null)}>
                Cancel
              </button>
              <button type="button" className={buttons['danger']} onClick={() => decide('remove')}>
                Remove for good
              </button>
            </>
          }
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.target instanceof HTMLButtonElement) return;
            event.preventDefault();
            decide('remove');
          }}
        >
          <div className={styles['sample']}>
            {item.post !== null && (
              <blockquote {...writingProps(item.post.content)}>
                <PostText text={item.post.content} terms={[]} limit={SAMPLE_LENGTH} />
              </blockquote>
            )}
            <p>Its words and pictures are deleted everywhere and can’t be saved again. This cannot be undone.</p>
          </div>
        </Modal>
      )}
      {asks === 'picture' && item?.post && <BlockPicture post={item.post} onClose={() => setAsks(null)} />}
      {asks === 'keys' && (
        <Modal title="Keys" size="small" onClose={() => setAsks(null)}>
          <dl className={styles['allKeys']}>
            {KEYS.filter(([key]) => isAdmin || (key !== 'r' && key !== 'p')).map(([keys, what]) => (
              <div key={keys}>
                <dt>
                  {keys.split(' ').map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
        </Modal>
      )}
    </>
  );

  function content() {
    if (queue.state === 'failed') {
      return <Notice title="The reports could not be loaded." detail="They are safe." onRetry={queue.reload} />;
    }
    const isBehind = queue.items.length === 0 && queue.next !== null;
    if (queue.state === 'loading' || isBehind) return <p role="status">Loading reports...</p>;
    if (queue.items.length === 0) {
      return (
        <div className={styles['empty']} role="status">
          <b>{state === 'open' ? 'Nothing is reported' : 'Nothing was decided yet'}</b>
          <p>{state === 'open' ? 'Whatever comes stands here, the gravest first.' : 'What is decided stands here.'}</p>
        </div>
      );
    }
    const place = item === undefined ? 0 : found.indexOf(item) + 1;
    return (
      <>
        <div className={styles['steps']}>
          <button type="button" className={buttons['word']} onClick={() => setView(view === 'one' ? 'list' : 'one')}>
            <ChevronLeftIcon size={15} />
            {view === 'one' ? `All ${queue.total}` : 'Back to the report'}
          </button>
          <button type="button" className={buttons['plain']} aria-label="Previous report" onClick={() => move(-1)}>
            <ChevronLeftIcon />
          </button>
          <button type="button" className={buttons['plain']} aria-label="Next report" onClick={() => move(1)}>
            <ChevronRightIcon />
          </button>
        </div>
        <div className={styles['desk']} data-view={view}>
          <div className={styles['list']}>
            <input
              id="search"
              type="search"
              aria-label="Find among these reports"
              placeholder="Find among these"
              value={words}
              onChange={({ target }) => setWords(target.value)}
              onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
            />
            <ReportList items={found} selected={item} onSelect={select} />
          </div>
          <p className="visually-hidden" role="status">
            {item && `${place} of ${queue.total}: ${REASON_NAMES[item.reason]}`}
          </p>
          {item === undefined ? (
            <p className={styles['none']}>None of these holds that.</p>
          ) : (
            <>
              <ReportedPostView
                key={item._id}
                item={item}
                arePicturesShown={arePicturesShown}
                onShow={() => setArePicturesShown(true)}
              />
              <ReportPanel
                key={`of ${item._id}`}
                item={item}
                draft={draft}
                isAdmin={isAdmin}
                isAnswering={isAnswering}
                onDraft={setDraft}
                onPress={press}
                onReopen={() => void queue.undo(item)}
              />
            </>
          )}
        </div>
      </>
    );
  }
}

/**
 * Shortcut keys of this page. They run before the site's own keys, but not while the operator types or a dialog is
 * open.
 */
function useKeys(press: (key: string) => boolean): void {
  const latest = useRef(press);
  // A layout effect, because a passive effect may run after the next key press.
  useLayoutEffect(() => {
    latest.current = press;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      const { target } = event;
      const isField = target instanceof Element && target.closest('input, textarea, select') !== null;
      if (isField && event.key === 'Escape') (target as HTMLElement).blur();
      const isTyping = isField && (target as HTMLInputElement).type !== 'checkbox';
      if (isTyping || document.querySelector('dialog[open]') !== null) return;
      if (!latest.current(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    document.addEventListener('keydown', onKeyDown, true);
    return () => document.removeEventListener('keydown', onKeyDown, true);
  }, []);
}

function textOf({ _id, post, reason, reports }: ReportedPost): string {
  const said = reports.map(({ name, words }) => `${name} ${words}`).join(' ');
  const { id = '', content = '', author = '', authorUsername = '' } = post ?? {};
  return `${_id} ${id} ${REASON_NAMES[reason]} ${author} ${authorUsername} ${content} ${said}`.toLowerCase();
}
