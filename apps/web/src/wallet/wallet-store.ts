import type { User } from '@archive/contracts';
import type { VersionedTransaction } from '@solana/web3.js';
import { useSyncExternalStore } from 'react';
import { followers } from '../lib/followers.ts';
import { readAddress, readToken, readWalletName } from './session-storage.ts';

/** Asks a wallet to sign a transaction. The result may contain instructions that the wallet added. */
export type TransactionSigner = (transaction: VersionedTransaction) => Promise<VersionedTransaction>;

/** A wallet connected to this page. A function that it lacks is null. */
export interface ConnectedWallet {
  name: string;
  address: string;
  signMessage: ((message: Uint8Array) => Promise<Uint8Array>) | null;
  signTransaction: TransactionSigner | null;
  /** The wallet's current account, even if the wallet sent no event. */
  currentAddress: () => string | null;
  disconnect: () => Promise<void>;
}

export interface WalletState {
  wallet: ConnectedWallet | null;
  /** Whether an earlier chosen wallet may still register. */
  isWalletExpected: boolean;
  /** The signed-in person; null for a visitor. */
  user: User | null;
  token: string | null;
  /** A saved token whose profile is not loaded, with its wallet's address if known. */
  restoring: { address: string | null } | null;
  isDialogOpen: boolean;
}

let state: WalletState = initialState();
const [subscribe, announce] = followers();

export { subscribe };

export function walletState(): WalletState {
  return state;
}

export function useWalletState(): WalletState {
  return useSyncExternalStore(subscribe, walletState);
}

export function updateWalletState(change: Partial<WalletState>): void {
  state = { ...state, ...change };
  announce();
}

export function openWalletDialog(): void {
  updateWalletState({ isDialogOpen: true });
}

/** A toast button that opens the wallet dialog. */
export const CONNECT_WALLET = { label: 'Connect wallet', act: openWalletDialog };

/** Resets the page's state and reads the saved one, as a page load does. */
export function resetWalletState(): void {
  updateWalletState(initialState());
}

function initialState(): WalletState {
  return {
    wallet: null,
    isWalletExpected: readWalletName() !== null,
    user: null,
    token: null,
    restoring: readToken() === null ? null : { address: readAddress() },
    isDialogOpen: false,
  };
}
