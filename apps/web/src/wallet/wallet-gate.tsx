import { useEffect, useState } from 'react';
import { loadChunk } from '../lib/load-chunk.ts';
import { lazyPart } from '../ui/lazy-part.tsx';
import { TOKEN_KEY } from './session-storage.ts';
import { useWalletState, walletState } from './wallet-store.ts';

const WalletProvider = lazyPart(() => import('./wallet-provider.tsx').then((part) => part.WalletProvider));

/** Loads the wallet code early, when a press on a wallet button is likely. */
export const prefetchWallet = WalletProvider.prefetch;

/** Loads the code of sign-in and logout at its first use. */
export const loadSession = () => loadChunk(() => import('./session.ts'));

export async function logOut(options?: { isEnded: boolean }): Promise<void> {
  const session = await loadSession();
  await session.logOut(options);
}

export const logOutEverywhere = () => loadSession().then((session) => session.logOutEverywhere());

/**
 * Rendered beside the page, not around it. The wallets report to the store, so that connecting does not render the page
 * again.
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
      // `key` is null if the whole store was cleared.
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
