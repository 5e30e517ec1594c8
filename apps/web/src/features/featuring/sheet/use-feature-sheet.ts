import { OFFER_KEPT_MS } from '@archive/contracts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useSWRConfig } from 'swr';
import { useNewest } from '../../../lib/use-newest.ts';
import { endDeadSession } from '../../../wallet/session.ts';
import { isRefusal } from '../../../wallet/wallet-errors.ts';
import { walletState } from '../../../wallet/wallet-store.ts';
import { CHANGED, featureSentence } from '../payment/feature-errors.ts';
import type { Outcome } from '../payment/next-step.ts';
import { OfferChangedError } from '../payment/offer-changed.ts';
import {
  forgetPaymentProgress,
  type PaymentProgress,
  paymentProgress,
  usePaymentProgress,
  watchPayment,
} from '../payment/payment-progress.ts';
import { type BeforeView, loadChainPart, readView } from './read-view.ts';
import { spendCredits } from './spend-credits.ts';

type Ready = Extract<BeforeView, { kind: 'ready' }>;

export type SheetView =
  | BeforeView
  | { kind: 'signing'; ready: Ready; walletName: string }
  | { kind: 'paying'; progress: PaymentProgress }
  | { kind: 'ended'; progress: PaymentProgress; outcome: Outcome };

/** The state of the sheet and its actions. */
export function useFeatureSheet(postId: string) {
  const { mutate } = useSWRConfig();
  const [view, setView] = useState<SheetView>({ kind: 'checking' });
  const progress = usePaymentProgress(postId);
  const begin = useNewest();
  const prompt = useRef<{ isWanted: boolean } | null>(null);

  /** Shows the result of an action, unless a newer action has started. */
  const show = useCallback(
    async (work: Promise<SheetView>) => {
      const isNewest = begin();
      setView({ kind: 'checking' });
      const next = await work.catch((error: unknown) => blocked(null, error));
      if (isNewest()) setView(next);
    },
    [begin],
  );

  const check = useCallback(() => {
    forgetEnded(postId);
    void show(readView(postId, mutate));
  }, [postId, mutate, show]);

  useEffect(() => {
    check();
    const unwatch = watchPayment(postId);
    return () => {
      begin();
      unwatch();
      // Leaving the page while the wallet asks cancels the payment.
      if (prompt.current !== null) prompt.current.isWanted = false;
      forgetEnded(postId);
    };
  }, [check, begin, postId]);

  // Another tab finished the payment: read the current state.
  const isElsewhere = progress?.outcome?.kind === 'elsewhere';
  useEffect(() => {
    if (isElsewhere) check();
  }, [isElsewhere, check]);

  async function pay(ready: Ready) {
    if (Date.now() - ready.askedAt > OFFER_KEPT_MS) return check();
    setView({ kind: 'signing', ready, walletName: walletState().wallet?.name ?? 'your wallet' });
    // A wallet shows one prompt at a time. After cancel and return, the same prompt is still open.
    if (prompt.current !== null) {
      prompt.current.isWanted = true;
      return;
    }
    const mine = { isWanted: true };
    prompt.current = mine;
    const release = () => {
      if (prompt.current === mine) prompt.current = null;
    };
    try {
      const part = await loadChainPart();
      await part.pay(ready.offer, {
        connection: part.openConnection(ready.rpcUrl),
        quote: ready.quote,
        mutate,
        isWanted: () => mine.isWanted,
        onSigned: release,
      });
    } catch (error) {
      endDeadSession(error);
      if (mine.isWanted && prompt.current === mine) {
        if (error instanceof OfferChangedError) void show(readChanged());
        else setView(refused(ready, error));
      }
    }
    release();
  }

  /** The current terms, for a new agreement. */
  async function readChanged(): Promise<SheetView> {
    const next = await readView(postId, mutate);
    return next.kind === 'ready' ? { ...next, note: CHANGED } : next;
  }

  function cancelSigning(ready: Ready) {
    if (prompt.current !== null) prompt.current.isWanted = false;
    setView(ready);
  }

  async function getTokens(rpcUrl: string): Promise<SheetView> {
    const address = walletState().user?.walletAddress ?? '';
    const part = await loadChainPart();
    await part.getTestTokens(part.openConnection(rpcUrl), address);
    return readView(postId, mutate);
  }

  return {
    view: progress === null ? view : progressView(progress),
    check,
    pay: (ready: Ready) => void pay(ready),
    cancelSigning,
    getTokens: (rpcUrl: string) => void show(getTokens(rpcUrl)),
    spendCredits: () => void show(spendCredits(postId, mutate)),
  };
}

export type FeatureSheetActions = Omit<ReturnType<typeof useFeatureSheet>, 'view'>;

function progressView(progress: PaymentProgress): SheetView {
  const { outcome } = progress;
  return outcome === null ? { kind: 'paying', progress } : { kind: 'ended', progress, outcome };
}

function forgetEnded(postId: string): void {
  if (paymentProgress(postId)?.outcome) forgetPaymentProgress(postId);
}

/** After a refusal in the wallet the offer stays; after any other error it is read again. */
function refused(ready: Ready, error: unknown): SheetView {
  return isRefusal(error) ? { ...ready, note: featureSentence(error) } : blocked(ready.quote, error);
}

function blocked(quote: Ready['quote'] | null, error: unknown): SheetView {
  return { kind: 'blocked', quote, sentence: featureSentence(error), tokensFrom: null };
}
