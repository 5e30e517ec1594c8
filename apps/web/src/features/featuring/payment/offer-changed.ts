import type { FeatureWallet } from '@archive/contracts';

/**
 * The server's terms differ from the offer that was shown. The payment must not be made; the sheet shows the new offer.
 */
export class OfferChangedError extends Error {
  override readonly name = 'OfferChangedError';
}

/** @throws OfferChangedError where featuring was stopped since, or the price, the receiver or the token is another. */
export function refuseChanged(shown: FeatureWallet, now: FeatureWallet): void {
  const names = Object.keys(now) as (keyof FeatureWallet)[];
  if (!now.enabled || names.some((name) => now[name] !== shown[name])) throw new OfferChangedError();
}
