import { expect, test } from '@jest/globals';
import { explorerUrl, networkOf } from './networks.ts';

test('a network is known by its genesis hash, any other is local', () => {
  expect(networkOf('5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d')).toBe('mainnet');
  expect(networkOf('EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG')).toBe('devnet');
  expect(networkOf('4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY')).toBe('testnet');
  for (const other of ['', 'toString', '__proto__', '11111111111111111111111111111111']) {
    expect(networkOf(other)).toBe('localnet');
  }
});

test('an explorer link carries its cluster, and a local network has none', () => {
  expect(explorerUrl('transaction', 'abc', 'mainnet')).toBe('https://solscan.io/tx/abc');
  expect(explorerUrl('token', 'abc', 'devnet')).toBe('https://solscan.io/token/abc?cluster=devnet');
  expect(explorerUrl('account', 'abc', 'testnet')).toBe('https://solscan.io/account/abc?cluster=testnet');
  expect(explorerUrl('account', 'a/../b?c', 'mainnet')).toBe('https://solscan.io/account/a%2F..%2Fb%3Fc');
  expect(explorerUrl('transaction', 'abc', 'localnet')).toBeNull();
});
