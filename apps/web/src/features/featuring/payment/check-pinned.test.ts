import { expect, test } from '@jest/globals';
import { checkPinned } from './check-pinned.ts';

const terms = { wallet: 'wallet', mintAddress: 'mint' };

test('a build that fixes nothing believes the server', () => {
  expect(() => checkPinned(terms, { wallet: undefined, mintAddress: '' })).not.toThrow();
});

test('a build that fixes wallet and token takes these alone', () => {
  expect(() => checkPinned(terms, { wallet: 'wallet', mintAddress: 'mint' })).not.toThrow();
  expect(() => checkPinned(terms, { wallet: 'other', mintAddress: 'mint' })).toThrow('The receiving wallet is not');
  expect(() => checkPinned(terms, { wallet: undefined, mintAddress: 'other' })).toThrow('The token is not');
});
