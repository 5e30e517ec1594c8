import type { Adapter } from '@solana/wallet-adapter-base';
import type { SigningWallet } from './session.ts';
import type { TransactionSigner } from './wallet-store.ts';

/** An adapter in the form that the sign-in needs. */
export function signingWallet(adapter: Adapter): SigningWallet {
  return {
    name: adapter.name,
    address: () => adapter.publicKey?.toBase58() ?? null,
    connect: () => adapter.connect(),
    // A getter: only a connected wallet knows, because the accounts of one wallet can differ.
    get signMessage() {
      return 'signMessage' in adapter ? (message: Uint8Array) => adapter.signMessage(message) : null;
    },
    signIn:
      'signIn' in adapter
        ? async (input) => {
            const { account, signedMessage, signature } = await adapter.signIn(input);
            return { address: account.address, signedMessage, signature };
          }
        : null,
  };
}

/**
 * A function that signs and returns a transaction, so that the caller sends it. Null if the wallet can only send it
 * itself.
 */
export function transactionSigner(adapter: Adapter): TransactionSigner | null {
  return 'signTransaction' in adapter && adapter.signTransaction !== undefined
    ? (transaction) => adapter.signTransaction(transaction)
    : null;
}
