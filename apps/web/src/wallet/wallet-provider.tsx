import './buffer-global.ts';
import { type Adapter, WalletReadyState } from '@solana/wallet-adapter-base';
import { WalletProvider as AdapterProvider, useWallet } from '@solana/wallet-adapter-react';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { flushSync } from 'react-dom';
import { loadChunk } from '../lib/load-chunk.ts';
import { useConfig } from '../lib/use-config.ts';
import { browserKind } from './browser-kind.ts';
import { mobileWallet } from './mobile-wallet.ts';
import { compareAccounts, signIn, walletDisconnected } from './session.ts';
import { WALLET_KEY } from './session-storage.ts';
import { signingWallet, transactionSigner } from './signing-wallet.ts';
import { WalletDialog } from './wallet-dialog.tsx';
import { updateWalletState, useWalletState } from './wallet-store.ts';

/** Milliseconds that an earlier chosen wallet may take to register. */
const EXPECTED_MS = 3000;
const NO_ADAPTERS: Adapter[] = [];

/** The wallet adapters and the dialog to choose one. */
export function WalletProvider() {
  const hasChosen = useRef(false);
  const network = useConfig()?.network;
  const wallets = useMemo(
    () =>
      network !== undefined && browserKind(navigator.userAgent, navigator.maxTouchPoints) === 'android'
        ? [mobileWallet(network)]
        : NO_ADAPTERS,
    [network],
  );
  return (
    <AdapterProvider
      wallets={wallets}
      localStorageKey={WALLET_KEY}
      // A wallet of an earlier visit connects without a prompt. The sign-in connects a wallet that is chosen now.
      autoConnect={useCallback(async () => !hasChosen.current, [])}
      // The caller that asked for something gets its error.
      onError={ignore}
    >
      <LocalWallet />
      <Reporter />
      <Dialog onChoose={() => (hasChosen.current = true)} />
    </AdapterProvider>
  );
}

/** Offers the local wallet on the local network. */
function LocalWallet() {
  const isLocal = useConfig()?.network === 'localnet';
  useEffect(() => {
    if (isLocal) loadChunk(() => import('./local-wallet.ts')).then((part) => part.offerLocalWallet(), ignore);
  }, [isLocal]);
  return null;
}

/** Copies the connected wallet into the store. */
function Reporter() {
  const { wallet, publicKey, connected } = useWallet();
  const address = publicKey?.toBase58() ?? null;
  const adapter = wallet?.adapter;

  useEffect(() => {
    const timer = setTimeout(() => updateWalletState({ isWalletExpected: false }), EXPECTED_MS);
    return () => clearTimeout(timer);
  }, []);

  useEffect(() => {
    if (adapter === undefined || address === null || !connected) return;
    const { signMessage } = signingWallet(adapter);
    const signTransaction = transactionSigner(adapter);
    updateWalletState({
      isWalletExpected: false,
      wallet: {
        name: adapter.name,
        address,
        signMessage,
        signTransaction,
        currentAddress: () => standardAddress(adapter) ?? adapter.publicKey?.toBase58() ?? null,
        disconnect: () => adapter.disconnect(),
      },
    });
    compareAccounts(address);
    return () => updateWalletState({ wallet: null });
  }, [adapter, address, connected]);

  useEffect(() => {
    adapter?.on('disconnect', walletDisconnected);
    return () => {
      adapter?.off('disconnect', walletDisconnected);
    };
  }, [adapter]);

  return null;
}

function Dialog({ onChoose }: { onChoose: () => void }) {
  const { isDialogOpen } = useWalletState();
  const { wallets, select } = useWallet();
  if (!isDialogOpen) return null;

  function close() {
    updateWalletState({ isDialogOpen: false });
    // After the sign-in the button that opened the dialog is gone. The focus moves to its replacement.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) document.querySelector<HTMLElement>('[data-account]')?.focus();
    });
  }

  function choose(adapter: Adapter): Promise<void> {
    onChoose();
    // The adapter's provider must listen before the wallet connects, and the wallet must still see the press as a user
    // gesture.
    flushSync(() => select(adapter.name));
    return signIn(signingWallet(adapter));
  }
  return (
    <WalletDialog
      adapters={wallets.map(({ adapter }) => adapter).filter(({ readyState }) => isUsable(readyState))}
      onChoose={choose}
      onClose={close}
    />
  );
}

function isUsable(readyState: WalletReadyState): boolean {
  return readyState === WalletReadyState.Installed || readyState === WalletReadyState.Loadable;
}

/** Some wallets change the account without an event; their list of accounts shows the change. */
function standardAddress(adapter: Adapter): string | null {
  return 'wallet' in adapter ? (adapter.wallet.accounts[0]?.address ?? null) : null;
}

function ignore(): void {}
