import { ApiError, isServerDown } from '@archive/client';
import { ENDPOINTS, type Post, type TokenLaunch } from '@archive/contracts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { type Cache, type ScopedMutator, useSWRConfig } from 'swr';
import { callApi } from '../../lib/api.ts';
import { useConfig } from '../../lib/use-config.ts';
import { useNewest } from '../../lib/use-newest.ts';
import { withTimeout } from '../../lib/with-timeout.ts';
import { showToast } from '../../ui/toasts.tsx';
import { endDeadSession, settledWallet } from '../../wallet/session.ts';
import { PlainError, walletSentence } from '../../wallet/wallet-errors.ts';
import { walletState } from '../../wallet/wallet-store.ts';
import type { TokenWords } from './launch-defaults.ts';
import { ALREADY_USED, CONNECT_FIRST, LAUNCH_FAILED, NOT_OPEN, SIGN_IN_FIRST } from './launch-words.ts';
import { checkLaunch, endOf, followLaunch, type LaunchEnd, runLaunch, signLaunch } from './run-launch.ts';
import { refreshLaunches, showLaunched } from './show-launched.ts';

export type LaunchView =
  | { kind: 'checking' }
  /** Launching is closed now, with the reason. */
  | { kind: 'closed'; sentence: string }
  /** The form, with the last error and the field that it concerns. */
  | { kind: 'form'; note: string | null; field?: string | undefined }
  | { kind: 'signing'; walletName: string }
  | { kind: 'launching'; name: string; symbol: string }
  | { kind: 'launched'; launch: TokenLaunch }
  | Extract<LaunchEnd, { kind: 'taken' }>
  | { kind: 'unknown' };

/** The state of the sheet and its actions. */
export function useLaunchSheet(post: Post) {
  const { cache, mutate } = useSWRConfig();
  const isOpenForAll = Boolean(useConfig()?.launchPlatform);
  const [view, setView] = useState<LaunchView>(isOpenForAll ? FORM : { kind: 'checking' });
  const begin = useNewest();
  const isOnScreen = useRef(false);

  /** Shows and returns the result of an action, unless a newer action has started. */
  const show = useCallback(
    async (work: (isNewest: () => boolean) => Promise<LaunchView | null>): Promise<LaunchView | null> => {
      const isNewest = begin();
      let next: LaunchView | null;
      try {
        next = await work(isNewest);
        await showEnd(post, next, cache, mutate);
      } catch (error) {
        endDeadSession(error);
        // A refusal in the wallet changes nothing on screen. If the server is down, reloading all launches would fail
        // too.
        if (error instanceof ApiError && !isServerDown(error)) refreshLaunches(mutate);
        const sentence = launchSentence(error);
        const isHopeless = error instanceof ApiError && error.code === 'launch_not_allowed';
        const field = error instanceof ApiError ? error.errors?.[0]?.path : undefined;
        next = isHopeless ? { kind: 'closed', sentence } : { kind: 'form', note: sentence, field };
      }
      if (!isNewest()) return null;
      if (next !== null) setView(next);
      return next;
    },
    [post, cache, mutate, begin],
  );

  const check = useCallback(
    () =>
      void show((isNewest) =>
        readView(post, mutate, {
          onUnderWay: (words) => {
            if (isNewest()) setView({ kind: 'launching', ...words });
          },
          isWanted: () => isNewest() && isOnScreen.current,
        }),
      ),
    [post, mutate, show],
  );

  useEffect(() => {
    isOnScreen.current = true;
    check();
    return () => {
      isOnScreen.current = false;
    };
  }, [check]);

  async function launch(words: TokenWords) {
    // Clears the note first, so that a repeated sentence is announced again.
    setView(FORM);
    const end = await show(async (isNewest) => {
      // If the person cancelled, or left while the wallet asked, the launch is not sent.
      const isWanted = () => isNewest() && isOnScreen.current;
      await settledWallet();
      if (!isWanted()) return null;
      const { wallet, user } = walletState();
      if (wallet === null) throw new PlainError(CONNECT_FIRST);
      if (user === null) throw new PlainError(SIGN_IN_FIRST);
      setView({ kind: 'signing', walletName: wallet.name });
      const signature = await signLaunch(post, words);
      if (!isWanted()) return null;
      setView({ kind: 'launching', ...words });
      return viewOf(await runLaunch(post, words, signature));
    });
    if (end !== null && !isOnScreen.current) announce(words.symbol, end);
  }

  function cancelSigning() {
    begin();
    setView(FORM);
  }

  /** Clears the note, which was about other words. */
  function forgetNote() {
    setView((current) => (current.kind === 'form' ? FORM : current));
  }

  return { view, check, launch: (words: TokenWords) => void launch(words), cancelSigning, forgetNote };
}

const FORM: LaunchView = { kind: 'form', note: null };

/** The state of a post when its sheet opens: launched, being launched, or free. */
async function readView(
  post: Post,
  mutate: ScopedMutator,
  { onUnderWay, isWanted }: { onUnderWay: (words: TokenWords) => void; isWanted: () => boolean },
): Promise<LaunchView> {
  const [check, config] = await Promise.all([checkLaunch(post), withTimeout(callApi('config'))]);
  await mutate(ENDPOINTS.config.path, config, { revalidate: false });
  const end = await endOf(check);
  if (end === null) {
    const { name = '', symbol = '' } = check.tokenLaunch ?? {};
    onUnderWay({ name, symbol });
    return viewOf(await followLaunch(post, { isWanted }));
  }
  if (end.kind !== 'released') return viewOf(end);
  if (check.refusal) return { kind: 'closed', sentence: check.refusal.message };
  return config.launchPlatform ? FORM : { kind: 'closed', sentence: NOT_OPEN };
}

function viewOf(end: LaunchEnd): LaunchView {
  return end.kind === 'released' ? { kind: 'form', note: end.message } : end;
}

async function showEnd(post: Post, view: LaunchView | null, cache: Cache, mutate: ScopedMutator): Promise<void> {
  if (view?.kind === 'launched' || view?.kind === 'taken') await showLaunched(post, cache, mutate);
  // The server's answer replaces the hint.
  else if (view?.kind === 'form' && view.note !== null) refreshLaunches(mutate);
}

/** Announces the end by the token's symbol, because another sheet may be open. */
function announce(symbol: string, view: LaunchView): void {
  if (view.kind === 'launched') showToast('done', `${view.launch.symbol} is launched.`);
  if (view.kind === 'taken') showToast('error', `${symbol}: ${ALREADY_USED}.`);
  if (view.kind === 'unknown') showToast('error', `The network has not answered whether ${symbol} was launched.`);
  if (view.kind === 'closed') showToast('error', `${symbol}: ${view.sentence}`);
  if (view.kind === 'form' && view.note !== null) showToast('error', `${symbol}: ${view.note}`);
}

/** The message for a refused launch, from the server or the wallet. */
function launchSentence(error: unknown): string {
  if (!(error instanceof ApiError)) return walletSentence(error, LAUNCH_FAILED);
  return error.status === 0 || error.code !== undefined ? error.message : LAUNCH_FAILED;
}
