import { PlainError } from '../../../wallet/wallet-errors.ts';

/** The receiving wallet and token that this build accepts, if they are fixed at build time. */
export interface PinnedTerms {
  wallet: string | undefined;
  mintAddress: string | undefined;
}

/** @throws PlainError where the server names another wallet or token than this build was made for. */
export function checkPinned(terms: { wallet: string; mintAddress: string }, pinned: PinnedTerms): void {
  const isOther = (name: keyof PinnedTerms) => Boolean(pinned[name]) && pinned[name] !== terms[name];
  if (isOther('wallet')) throw new PlainError('The receiving wallet is not the one that this page was built for.');
  if (isOther('mintAddress')) throw new PlainError('The token is not the one that this page was built for.');
}
