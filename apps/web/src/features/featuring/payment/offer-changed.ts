import type { FeatureWallet } from '@archive/contracts';

/** What was shown is not what the server asks for any more, so it must not be paid; it is to be shown anew. */
export class OfferChangedError extends Error {
  override readonly name = 'OfferChangedError';
}

/** @throws OfferChangedError where featuring was stopped since, or the price, the receiver or the token is another. */
export function refuseChanged(shown: FeatureWallet, now: FeatureWallet): void {
  const names = Object.keys(now) as (keyof FeatureWallet)[];
  if (!now.enabled || names.some((name) => now[name] !== shown[name])) throw new OfferChangedError();
}
