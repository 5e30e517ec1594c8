import { LAUNCH_PREVIEW_LENGTH, type Post } from '@archive/contracts';
import { useEffect, useId, useRef, useState } from 'react';
import modal from '../../ui/modal.module.css';
import { Modal } from '../../ui/modal.tsx';
import { Notice } from '../../ui/notice.tsx';
import { QuotedPost } from '../../ui/quoted-post.tsx';
import { suggestToken } from './launch-defaults.ts';
import { LaunchFoot } from './launch-foot.tsx';
import { LaunchForm } from './launch-form.tsx';
import { LaunchResult } from './launch-result.tsx';
import styles from './launch-sheet.module.css';
import { type LaunchView, useLaunchSheet } from './use-launch-sheet.ts';

/**
 * The sheet that launches a token from a post: it shows the sentence to sign, the cost and its payer, then follows the
 * launch.
 */
export function LaunchSheet({ post, onClose }: { post: Post; onClose: () => void }) {
  const { view, check, launch, cancelSigning, forgetNote } = useLaunchSheet(post);
  const [words, setWords] = useState(() => suggestToken(post.author));
  const formId = useId();
  const body = useRef<HTMLDivElement>(null);
  const title = titleOf(view);
  const hasCoin = view.kind === 'launching' || view.kind === 'launched' || view.kind === 'taken';

  // The pressed button may be gone. The focus then goes to the heading.
  const { kind } = view;
  useEffect(() => {
    const dialog = body.current?.closest('dialog');
    const focused = document.activeElement;
    const isLost = kind !== 'form' && (focused === document.body || focused === dialog);
    if (isLost) dialog?.querySelector<HTMLElement>('h2')?.focus();
  }, [kind]);

  return (
    <Modal
      title={title}
      {...(hasCoin ? { heading: <span className="visually-hidden">{title}</span> } : {})}
      size="regular"
      onClose={onClose}
      isHeld={kind === 'signing'}
      foot={<LaunchFoot view={view} formId={formId} onClose={onClose} onCheck={check} onCancel={cancelSigning} />}
    >
      <div ref={body} className={modal['sheet']}>
        <p role="status" className="visually-hidden">
          {announcement(view)}
        </p>
        {hasCoin ? (
          <LaunchResult view={view} title={title} post={post} />
        ) : (
          <>
            <QuotedPost post={post} limit={LAUNCH_PREVIEW_LENGTH} />
            {drawRest()}
          </>
        )}
      </div>
    </Modal>
  );

  function drawRest() {
    switch (view.kind) {
      case 'checking':
        return <p className={styles['plain']}>Asking the archive...</p>;
      case 'closed':
        return <p className={styles['plain']}>{view.sentence}</p>;
      case 'unknown':
        return (
          <Notice
            title="The network has not answered yet."
            detail="Whether there is a token will be known in a few minutes. There can never be a second one from this post."
          />
        );
      default:
        return (
          <>
            {view.kind === 'form' && view.note !== null && (
              <div ref={bringIntoView}>
                <Notice title={view.note} />
              </div>
            )}
            <LaunchForm
              id={formId}
              postId={post.id}
              words={words}
              isFixed={view.kind !== 'form'}
              refused={view.kind === 'form' ? view.field : undefined}
              onChange={(next) => {
                setWords(next);
                forgetNote();
              }}
              onSubmit={launch}
            />
            {view.kind === 'signing' && (
              <p ref={bringIntoView} className={modal['asked']}>
                {approve(view.walletName)}
              </p>
            )}
          </>
        );
    }
  }
}

function titleOf(view: LaunchView): string {
  switch (view.kind) {
    case 'launching':
      return `Launching ${view.symbol}`;
    case 'launched':
      return `${view.launch.symbol} is launched`;
    case 'taken':
      return 'Already Launched';
    default:
      return 'Launch a token from this post';
  }
}

function announcement(view: LaunchView): string {
  switch (view.kind) {
    case 'checking':
      return 'Asking the archive...';
    case 'closed':
      return view.sentence;
    case 'signing':
      return approve(view.walletName);
    case 'launching':
    case 'launched':
    case 'taken':
      return titleOf(view);
    default:
      return '';
  }
}

/** Scrolls an element into view: on a phone the sheet is longer than the screen. */
function bringIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}

function approve(walletName: string): string {
  return `Approve the request in ${walletName}.`;
}
