import { CARD_TEXT_LENGTH, type FeatureWallet, type Post } from '@archive/contracts';
import { useEffect, useRef } from 'react';
import { shorten } from '../../../lib/format.ts';
import { useConfig } from '../../../lib/use-config.ts';
import { CheckIcon } from '../../../ui/icons.tsx';
import { InfoIcon } from '../../../ui/later-icons.tsx';
import { Link } from '../../../ui/link.tsx';
import modal from '../../../ui/modal.module.css';
import { Modal } from '../../../ui/modal.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { QuotedPost } from '../../../ui/quoted-post.tsx';
import { SideNote } from '../../../ui/side-note.tsx';
import { NOT_OPEN, outcomeSentence, STOPPED } from '../payment/feature-errors.ts';
import type { Outcome } from '../payment/next-step.ts';
import { CostLines } from './cost-lines.tsx';
import styles from './feature-sheet.module.css';
import { PaymentSteps, PHASE_WORDS } from './payment-steps.tsx';
import { SheetFoot } from './sheet-foot.tsx';
import { type SheetView, useFeatureSheet } from './use-feature-sheet.ts';

/** Sentences that already say that nothing was paid or sent. */
const SAFE = /Nothing was/;

/** The sheet that pays to feature a post: it shows the cost and the effects, then follows the payment. */
export function FeatureSheet({ post, onClose }: { post: Post; onClose: () => void }) {
  const { view, ...actions } = useFeatureSheet(post._id);
  const ticker = useConfig()?.tokenTicker ?? '';
  const body = useRef<HTMLDivElement>(null);

  // The pressed button may be gone. The focus then goes to the heading.
  const { kind } = view;
  useEffect(() => {
    const dialog = body.current?.closest('dialog');
    const focused = document.activeElement;
    const isLost = kind !== 'checking' && (focused === document.body || focused === dialog);
    if (isLost) dialog?.querySelector<HTMLElement>('h2')?.focus();
  }, [kind]);

  return (
    <Modal
      title={titleOf(view)}
      size="regular"
      onClose={onClose}
      isHeld={view.kind === 'signing'}
      foot={
        view.kind === 'paying' ? undefined : (
          <SheetFoot view={view} ticker={ticker} actions={actions} onClose={onClose} />
        )
      }
    >
      <div ref={body} className={modal['sheet']}>
        <QuotedPost post={post} limit={CARD_TEXT_LENGTH} />
        <p role="status" className="visually-hidden">
          {announcement(view)}
        </p>
        <Body view={view} ticker={ticker} />
      </div>
    </Modal>
  );
}

function Body({ view, ticker }: { view: SheetView; ticker: string }) {
  switch (view.kind) {
    case 'checking':
      return <p className={styles['waiting']}>Asking the network...</p>;
    case 'closed':
      return <p className={styles['plain']}>{view.isStopped ? STOPPED : NOT_OPEN}</p>;
    case 'blocked':
      // On the local network tokens are free, so a lack of tokens is not shown as an error.
      if (view.isNew && view.quote !== null && view.tokensFrom !== null)
        return <FirstTokens quote={view.quote} ticker={ticker} />;
      return <Notice title={view.sentence} {...(SAFE.test(view.sentence) ? {} : { detail: 'Nothing was sent.' })} />;
    case 'ready':
      return (
        <>
          {view.note !== null && <Notice title={view.note} />}
          <CostLines offer={view.offer} ticker={ticker} />
        </>
      );
    case 'signing':
      return (
        <>
          <CostLines offer={view.ready.offer} ticker={ticker} />
          <p className={modal['asked']}>Approve the request in {view.walletName}.</p>
        </>
      );
    case 'paying':
      return <PaymentSteps progress={view.progress} ticker={ticker} />;
    case 'ended':
      return (
        <>
          <PaymentSteps progress={view.progress} ticker={ticker} />
          <End outcome={view.outcome} />
        </>
      );
    case 'featured':
      return <Featured archive={view.archive} />;
  }
}

function FirstTokens({ quote, ticker }: { quote: FeatureWallet; ticker: string }) {
  return (
    <>
      <dl className={styles['costs']}>
        <div>
          <dt>Featuring price</dt>
          <dd>
            {quote.featurePrice} {ticker}
          </dd>
        </div>
      </dl>
      <SideNote icon={<InfoIcon />}>
        Your wallet has no {ticker} yet. This is a local network, where nothing has a price: get test tokens, and
        feature the post with them.
      </SideNote>
    </>
  );
}

function End({ outcome }: { outcome: Outcome }) {
  if (outcome.kind === 'featured') return <Featured archive={outcome.archive} />;
  const sentence = outcomeSentence(outcome);
  if (outcome.kind !== 'credited') return sentence === '' ? null : <Notice title={sentence} />;
  return (
    <div role="alert" className={styles['credited']}>
      <p>{sentence}</p>
      <Link href="/dashboard" className="word-link">
        See your credits on the dashboard
      </Link>
    </div>
  );
}

function Featured({ archive }: { archive: Post }) {
  return (
    <p className={styles['featured']}>
      <CheckIcon />
      <span>
        This post is featured
        {archive.payee !== null && (
          <>
            , paid for by <span className={styles['wallet']}>{shorten(archive.payee)}</span>
          </>
        )}
        .
      </span>
    </p>
  );
}

function titleOf({ kind, ...view }: SheetView): string {
  if (kind === 'paying') return 'Featuring this post';
  if (kind === 'featured') return 'Featured';
  if (kind === 'ended' && 'outcome' in view) return view.outcome.kind === 'featured' ? 'Featured' : 'Not featured';
  return 'Feature this post';
}

function announcement(view: SheetView): string {
  switch (view.kind) {
    case 'checking':
      return 'Asking the network...';
    case 'signing':
      return `Approve the request in ${view.walletName}.`;
    case 'paying':
      return PHASE_WORDS[view.progress.phase];
    case 'featured':
      return PHASE_WORDS.featured;
    case 'ended':
      return view.outcome.kind === 'featured' ? PHASE_WORDS.featured : '';
    default:
      return '';
  }
}
