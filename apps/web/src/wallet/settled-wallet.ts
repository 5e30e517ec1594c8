import { subscribe, walletState } from './wallet-store.ts';

/** After a reload, the wallet of the last visit takes a moment to be there. */
export function settledWallet(): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      const { wallet, isWalletExpected } = walletState();
      if (wallet === null && isWalletExpected) return;
      unsubscribe();
      resolve();
    };
    const unsubscribe = subscribe(look);
    look();
  });
}
