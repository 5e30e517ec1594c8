import { subscribe, walletState } from './wallet-store.ts';

/** After a reload, wallet and session of the last visit take a moment to be there. */
export function settledWallet(): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      const { wallet, isWalletExpected, restoring } = walletState();
      if ((wallet === null && isWalletExpected) || restoring !== null) return;
      unsubscribe();
      resolve();
    };
    const unsubscribe = subscribe(look);
    look();
  });
}
