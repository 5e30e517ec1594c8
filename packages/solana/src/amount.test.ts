import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatAmount, InvalidPriceError, MAX_BASE_UNITS, parsePrice } from './amount.ts';

/** The exact amount by another method: the price as a fraction, scaled and divided once. */
function _exactBaseUnits(price: string, decimals: number): bigint {
  const point = price.indexOf('.');
  const places = point < 0 ? 0 : price.length - point - 1;
  return (BigInt(price.replace('.', '')) * 10n ** BigInt(decimals)) / 10n ** BigInt(places);
}

/** A small seeded generator (mulberry32), for the same prices in every run. */
function _random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

describe('a price in base units', () => {
  test('equals the exact fraction, cut down, for 200,000 prices', () => {
    const random = _random(20_261_121);
    let compared = 0;
    let floatsWrong = 0;
    const wrong: string[] = [];
    while (compared < 200_000) {
      const decimals = random(10);
      const places = random(12);
      const fraction = Array.from({ length: places }, () => random(10)).join('');
      const price = `${random(1_000_000)}${places === 0 ? '' : `.${fraction}`}`;
      const expected = _exactBaseUnits(price, decimals);
      if (expected === 0n) continue;
      compared++;
      if (parsePrice(price, decimals) !== expected) wrong.push(`${price} at ${decimals}`);
      if (BigInt(Math.floor(Number(price) * 10 ** decimals)) !== expected) floatsWrong++;
    }
    expect(wrong).toEqual([]);
    // The same prices in floating point are often wrong, which is why the parser exists.
    expect(floatsWrong).toBeGreaterThan(1_000);
  });

  test.each([
    ['1.001', 6, 1_001_000n],
    ['8.2', 9, 8_200_000_000n],
    ['0.29', 2, 29n],
    ['1', 6, 1_000_000n],
    ['1', 0, 1n],
    ['007.50', 1, 75n],
    ['0.0000019', 6, 1n],
    ['9.99999999999', 2, 999n],
    ['18446744073709551615', 0, MAX_BASE_UNITS],
    ['1.8446744073709551615', 19, MAX_BASE_UNITS],
    [`${'0'.repeat(5_000)}1.${'9'.repeat(5_000)}`, 3, 1_999n],
  ])('reads %s at %i decimals exactly', (price, decimals, baseUnits) => {
    expect(parsePrice(price, decimals)).toBe(baseUnits);
  });

  test.each(
    // biome-ignore format: one list of spellings
    ['', ' ', '1 ', ' 1', '1\n', '1e3', '1E3', '0x10', '0b1', '1,000', '1,5', '1_000', 'Infinity', 'NaN', '+1', '-1', '.5', '5.',
      '1.2.3', '1.', '.', '1n', '١', '１', '1 000', 'one', '1.5e1', '$1', 'null'],
  )('refuses the spelling %j', (price) => {
    expect(() => parsePrice(price, 6)).toThrow(new InvalidPriceError());
  });

  test('refuses nothing at all, dust below one base unit, and more than 64 bits', () => {
    for (const [price, decimals] of [
      ['0', 6],
      ['0.0000009', 6],
      ['0.9', 0],
      ['18446744073709551616', 0],
      ['18446744073709.551616', 6],
      ['2', 19],
      ['9'.repeat(1_000_000), 0],
    ] as const) {
      expect(() => parsePrice(price, decimals)).toThrow('Invalid feature price or token decimals');
    }
  });

  test('refuses decimals that are no integer of 0 to 19', () => {
    for (const decimals of [-1, 20, 255, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => parsePrice('1', decimals)).toThrow(InvalidPriceError);
      expect(() => formatAmount(1n, decimals)).toThrow(InvalidPriceError);
    }
  });
});

describe('an amount in words', () => {
  test.each([
    [1_500_000n, 6, '1.5'],
    [1_000_000n, 6, '1'],
    [1n, 9, '0.000000001'],
    [0n, 6, '0'],
    [12_340n, 0, '12340'],
    [100n, 2, '1'],
  ])('%s at %i decimals is %s', (baseUnits, decimals, text) => {
    expect(formatAmount(baseUnits, decimals)).toBe(text);
  });

  test('reads back as the same base units', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: MAX_BASE_UNITS }), fc.nat(19), (baseUnits, decimals) => {
        expect(parsePrice(formatAmount(baseUnits, decimals), decimals)).toBe(baseUnits);
      }),
    );
  });

  test('refuses a negative amount', () => {
    expect(() => formatAmount(-1n, 6)).toThrow(InvalidPriceError);
  });
});
