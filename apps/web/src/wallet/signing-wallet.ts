import type { Adapter } from '@solana/wallet-adapter-base';
import type { SigningWallet } from './session.ts';
import type { TransactionSigner } from './wallet-store.ts';

/** An adapter as the sign-in sees it. */
export function signingWallet(adapter: Adapter): SigningWallet {
  return {
    name: adapter.name,
    address: () => adapter.publicKey?.toBase58() ?? null,
    connect: () => adapter.connect(),
    // Known only once connected: accounts of one wallet can do different things.
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

/** Signs and hands back, so that the transaction is sent by whoever asked; null where a wallet can only send it itself. */
export function transactionSigner(adapter: Adapter): TransactionSigner | null {
  return 'signTransaction' in adapter && adapter.signTransaction !== undefined
    ? (transaction) => adapter.signTransaction(transaction)
    : null;
}
