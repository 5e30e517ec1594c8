import { CREDIT_REASONS, type Credit, type FeatureWallet } from '@archive/contracts';
import { describe, expect, test } from '@jest/globals';
import { coversPrice, creditAmount, creditReason, decimalsOf, isOnChain, usableUnits } from './credit-words.ts';

function credit(over: Partial<Credit> = {}): Credit {
  return {
    _id: '1',
    baseUnits: '400000',
    reason: 'already_featured',
    transaction: '5'.repeat(88),
    createdAt: '2026-11-21T10:00:00.000Z',
    usedOn: null,
    usable: true,
    ...over,
  };
}

const quote: FeatureWallet = {
  wallet: 'w',
  mintAddress: 'm',
  featurePrice: '1',
  decimals: 6,
  network: 'localnet',
  enabled: true,
  stopped: false,
};

describe('credits', () => {
  test.each(CREDIT_REASONS)('say why they are there: %s', (reason) => {
    expect(creditReason(reason)).toMatch(/^(It|Its|The) .+\.$/);
  });

  test('are shown in tokens, exactly, however large', () => {
    expect(creditAmount(1_500_000n, 6, 'AMBER')).toBe('1.5 AMBER');
    expect(creditAmount(18_446_744_073_709_551_615n, 9, 'AMBER')).toBe('18446744073.709551615 AMBER');
    expect(creditAmount(7n, 0, '')).toBe('7');
    expect(creditAmount(1_500_000n, undefined, 'AMBER')).toBe('1500000 base units');
  });

  test('are shown in tokens while featuring is stopped, and in base units of a token that is not known', () => {
    const stopped = { ...quote, enabled: false, stopped: true };
    expect(decimalsOf(stopped)).toBe(6);
    expect(decimalsOf(stopped, 'm')).toBe(6);
    expect(decimalsOf(quote, 'another')).toBeUndefined();
    expect(decimalsOf(quote, null)).toBeUndefined();
    expect(decimalsOf({ ...quote, mintAddress: null })).toBeUndefined();
    expect(decimalsOf(undefined)).toBeUndefined();
  });

  test('add up, but for those that are used or not final yet', () => {
    const credits = [credit(), credit(), credit({ usable: false }), credit({ usedOn: 'post', usable: false })];
    expect(usableUnits(credits)).toBe(800_000n);
  });

  test('cover the price only when they reach it, and only while featuring is open', () => {
    const two = [credit(), credit()];
    expect(coversPrice(two, quote)).toBe(false);
    expect(coversPrice([...two, credit({ baseUnits: '200000' })], quote)).toBe(true);
    expect(coversPrice(two, { ...quote, featurePrice: '0.8' })).toBe(true);
    expect(coversPrice(two, { ...quote, featurePrice: '0.8', enabled: false })).toBe(false);
    expect(coversPrice(two, { ...quote, featurePrice: '1e3' })).toBe(false);
  });

  test('that were left over have no transaction of their own', () => {
    expect(isOnChain(credit())).toBe(true);
    expect(isOnChain(credit({ transaction: 'change:use:1234' }))).toBe(false);
  });
});
