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

/** How long a wallet chosen earlier may take to announce itself. */
const EXPECTED_MS = 3000;
const NO_ADAPTERS: Adapter[] = [];

/** The wallets themselves, and the dialog to choose one in. */
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
      // A wallet from an earlier visit connects silently, without a prompt. One that is chosen now is connected by
      // the sign-in.
      autoConnect={useCallback(async () => !hasChosen.current, [])}
      // Whoever asked for something hears of its failure.
      onError={ignore}
    >
      <LocalWallet />
      <Reporter />
      <Dialog onChoose={() => (hasChosen.current = true)} />
    </AdapterProvider>
  );
}

/** On the local network there is a wallet for trying out. */
function LocalWallet() {
  const isLocal = useConfig()?.network === 'localnet';
  useEffect(() => {
    if (isLocal) loadChunk(() => import('./local-wallet.ts')).then((part) => part.offerLocalWallet(), ignore);
  }, [isLocal]);
  return null;
}

/** Tells the rest of the page which wallet is connected. */
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
    // What opened the dialog is gone once one is signed in; the focus goes to what took its place.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) document.querySelector<HTMLElement>('[data-account]')?.focus();
    });
  }

  function choose(adapter: Adapter): Promise<void> {
    onChoose();
    // The provider must listen before the wallet speaks, and the press must still count as the person's own.
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

/** Some wallets change the account without a word; their list of accounts tells. */
function standardAddress(adapter: Adapter): string | null {
  return 'wallet' in adapter ? (adapter.wallet.accounts[0]?.address ?? null) : null;
}

function ignore(): void {}
