import type { Adapter } from '@solana/wallet-adapter-base';
import type { SigningWallet } from './session.ts';

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
