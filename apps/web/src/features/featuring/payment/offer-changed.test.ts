import type { FeatureWallet } from '@archive/contracts';
import { expect, test } from '@jest/globals';
import { OfferChangedError, refuseChanged } from './offer-changed.ts';

const shown: FeatureWallet = {
  wallet: 'w',
  mintAddress: 'm',
  featurePrice: '1',
  decimals: 6,
  network: 'localnet',
  enabled: true,
  stopped: false,
};

test('what the server still asks for as it was shown may be paid', () => {
  expect(() => refuseChanged(shown, { ...shown })).not.toThrow();
});

test.each<Partial<FeatureWallet>>([
  { enabled: false, stopped: true },
  { enabled: false },
  { featurePrice: '2' },
  { featurePrice: '0.5' },
  { wallet: 'other' },
  { wallet: null },
  { mintAddress: 'other' },
  { decimals: 9 },
  { network: 'mainnet' },
])('what has changed since it was shown is not paid: %j', (change) => {
  expect(() => refuseChanged(shown, { ...shown, ...change })).toThrow(OfferChangedError);
});
