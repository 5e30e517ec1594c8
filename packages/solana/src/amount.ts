/** Largest amount that a token account holds: an unsigned 64-bit number of base units. */
export const MAX_BASE_UNITS = 2n ** 64n - 1n;

/** The chain stores decimals in a byte. With more than 19 of them, one whole token does not fit in 64 bits. */
export const MAX_DECIMALS = 19;

const PRICE = /^([0-9]+)(?:\.([0-9]+))?$/;
/** Digits of `MAX_BASE_UNITS`. A longer whole part cannot fit with any decimals. */
const MAX_WHOLE_DIGITS = 20;

/** The configured price or the token's decimals cannot be charged. Its message is the specification's sentence. */
export class InvalidPriceError extends Error {
  override readonly name = 'InvalidPriceError';

  constructor() {
    super('Invalid feature price or token decimals');
  }
}

/**
 * A price in tokens ("1.001") as base units, in integer arithmetic; decimals the token does not have are cut off, never
 * rounded up. Digits and at most one point with digits on both sides, nothing else.
 *
 * @throws InvalidPriceError for another spelling, decimals that are not an integer of 0 to 19, and an amount outside 1
 * to 2^64 - 1 base units.
 * @example parsePrice('8.2', 9) === 8_200_000_000n
 */
export function parsePrice(price: string, decimals: number): bigint {
  const match = PRICE.exec(price);
  if (!match || !isDecimals(decimals)) throw new InvalidPriceError();
  const [, digits = '', fraction = ''] = match;
  const whole = digits.replace(/^0+/, '');
  if (whole.length > MAX_WHOLE_DIGITS) throw new InvalidPriceError();
  const baseUnits = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
  if (!isTransferable(baseUnits)) throw new InvalidPriceError();
  return baseUnits;
}

/**
 * Base units as the shortest decimal string in tokens: no trailing zeros, no grouping; `parsePrice` reads it back.
 *
 * @throws InvalidPriceError for a negative amount or decimals that are not an integer of 0 to 19.
 * @example formatAmount(1_500_000n, 6) === '1.5'
 */
export function formatAmount(baseUnits: bigint, decimals: number): string {
  if (baseUnits < 0n || !isDecimals(decimals)) throw new InvalidPriceError();
  const digits = baseUnits.toString().padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  const fraction = digits.slice(point).replace(/0+$/, '');
  return fraction === '' ? digits.slice(0, point) : `${digits.slice(0, point)}.${fraction}`;
}

/** Whether one instruction can move this amount. Outside these bounds the encoder wraps around silently. */
export function isTransferable(baseUnits: bigint): boolean {
  return baseUnits >= 1n && baseUnits <= MAX_BASE_UNITS;
}

/** Whether amounts with these decimals can be written: an integer of 0 to 19. */
export function isDecimals(decimals: number): boolean {
  return Number.isInteger(decimals) && decimals >= 0 && decimals <= MAX_DECIMALS;
}
