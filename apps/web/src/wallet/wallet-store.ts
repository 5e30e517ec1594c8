import type { User } from '@archive/contracts';
import type { VersionedTransaction } from '@solana/web3.js';
import { useSyncExternalStore } from 'react';
import { followers } from '../lib/followers.ts';
import { readAddress, readToken, readWalletName } from './session-storage.ts';

/** Has a wallet sign a transaction; it may come back with instructions of the wallet's own. */
export type TransactionSigner = (transaction: VersionedTransaction) => Promise<VersionedTransaction>;

/** A wallet that shares its account with this page; what it cannot do is null. */
export interface ConnectedWallet {
  name: string;
  address: string;
  signMessage: ((message: Uint8Array) => Promise<Uint8Array>) | null;
  signTransaction: TransactionSigner | null;
  /** The account as the wallet has it this moment, announced or not. */
  currentAddress: () => string | null;
  disconnect: () => Promise<void>;
}

export interface WalletState {
  wallet: ConnectedWallet | null;
  /** A wallet chosen earlier may still announce itself. */
  isWalletExpected: boolean;
  /** The signed-in person; null for a visitor. */
  user: User | null;
  token: string | null;
  /** A saved token whose profile has not come yet, and whose it is. */
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

/** What mends the want of a wallet, as a button of a toast. */
export const CONNECT_WALLET = { label: 'Connect wallet', act: openWalletDialog };

/** Forgets everything of this page and reads what is saved, as a fresh load does. */
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
