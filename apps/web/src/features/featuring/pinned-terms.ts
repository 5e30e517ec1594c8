/** Where this build pays to, if it was made for one deployment alone. */
export interface PinnedTerms {
  wallet: string | undefined;
  mintAddress: string | undefined;
}

/**
 * Where payments go comes from the network, and whoever could alter that answer would be paid. A build for one
 * deployment may therefore fix the receiving wallet and the token: set `VITE_FEATURE_WALLET` and `VITE_FEATURE_MINT`
 * (base58) when the web is built. Unset, the server's answer is believed.
 */
export const PINNED: PinnedTerms = {
  wallet: import.meta.env['VITE_FEATURE_WALLET'],
  mintAddress: import.meta.env['VITE_FEATURE_MINT'],
};
