import { PlainError } from '../../wallet/wallet-errors.ts';

/**
 * Where payments go comes from the network, and whoever could alter that answer would be paid. A build for one
 * deployment may therefore fix the receiving wallet and the token: set `VITE_FEATURE_WALLET` and `VITE_FEATURE_MINT`
 * (base58) when the web is built. Unset, the server's answer is believed.
 */
const PINNED = {
  wallet: import.meta.env['VITE_FEATURE_WALLET'] as string | undefined,
  mintAddress: import.meta.env['VITE_FEATURE_MINT'] as string | undefined,
};

/** @throws PlainError where the server names another wallet or token than this build was made for. */
export function checkPinned(terms: { wallet: string; mintAddress: string }): void {
  const isOther = (name: keyof typeof PINNED) => PINNED[name] && PINNED[name] !== terms[name];
  if (isOther('wallet')) throw new PlainError('The receiving wallet is not the one this page was built for.');
  if (isOther('mintAddress')) throw new PlainError('The token is not the one this page was built for.');
}
