import { useEffect, useState } from 'react';
import { loadChunk } from '../lib/load-chunk.ts';
import { lazyPart } from '../ui/lazy-part.tsx';
import { TOKEN_KEY } from './session-storage.ts';
import { useWalletState, walletState } from './wallet-store.ts';

const WalletProvider = lazyPart(() => import('./wallet-provider.tsx').then((part) => part.WalletProvider));

/** Fetches the wallet code ahead, when a press on a wallet button is near. */
export const prefetchWallet = WalletProvider.prefetch;

/** What signs in and out; loaded with the first use. */
export const loadSession = () => loadChunk(() => import('./session.ts'));

export async function logOut(options?: { isEnded: boolean }): Promise<void> {
  const session = await loadSession();
  await session.logOut(options);
}

export const logOutEverywhere = () => loadSession().then((session) => session.logOutEverywhere());

/**
 * Beside the page, never around it: wallets live in here and report to the store, so that connecting one draws nothing
 * anew.
 */
export function WalletGate() {
  const { isDialogOpen, isWalletExpected, restoring } = useWalletState();
  const [isWanted, setIsWanted] = useState(false);
  const isNeeded = isDialogOpen || isWalletExpected || restoring !== null;

  useEffect(() => {
    if (isNeeded) setIsWanted(true);
  }, [isNeeded]);

  useEffect(() => {
    if (walletState().restoring !== null) withSession((session) => session.restoreSession());
    function onStorage({ key, newValue }: StorageEvent) {
      // A cleared store has no key.
      if (key === TOKEN_KEY || key === null) withSession((session) => session.followStorage(newValue));
    }
    function onFocus() {
      const { token, wallet, restoring } = walletState();
      if (token !== null || wallet !== null || restoring !== null) withSession((session) => session.checkSession());
    }
    window.addEventListener('storage', onStorage);
    window.addEventListener('focus', onFocus);
    return () => {
      window.removeEventListener('storage', onStorage);
      window.removeEventListener('focus', onFocus);
    };
  }, []);

  return isWanted ? <WalletProvider /> : null;
}

function withSession(use: (session: typeof import('./session.ts')) => unknown): void {
  loadSession().then(use, () => {});
}
