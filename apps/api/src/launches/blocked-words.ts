import { PRODUCT_NAME } from '@archive/contracts';

/** What a token must not be taken for: refused as the whole name or symbol. */
const RESERVED = [
  PRODUCT_NAME,
  'bitcoin',
  'btc',
  'ethereum',
  'eth',
  'solana',
  'sol',
  'wsol',
  'tether',
  'usdt',
  'usd coin',
  'usdc',
  'pump fun',
  'phantom',
  'solflare',
];

/** Refused wherever they stand as words of their own, as are an operator's additions. */
const OFFENSIVE = ['hitler', 'nazi', 'kkk', 'child porn'];

/** Letters of other scripts, and digits, that are read as these. */
const LOOK_ALIKES: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
  l: 'i',
  а: 'a',
  в: 'b',
  е: 'e',
  ё: 'e',
  к: 'k',
  м: 'm',
  н: 'h',
  о: 'o',
  р: 'p',
  с: 'c',
  т: 't',
  у: 'y',
  х: 'x',
  і: 'i',
  ѕ: 's',
  α: 'a',
  β: 'b',
  ε: 'e',
  η: 'h',
  ι: 'i',
  κ: 'k',
  ν: 'v',
  ο: 'o',
  ρ: 'p',
  τ: 't',
  υ: 'y',
  χ: 'x',
};

/**
 * The blocked word that a name or symbol is or holds; null where there is none.
 * Case, accents, spacing within the whole, and letters that look alike make no difference.
 */
export function findBlockedWord(text: string, more: readonly string[]): string | null {
  const words = wordsOf(text);
  const inside = ` ${words.join(' ')} `;
  const whole = words.join('');
  const isWhole = (blocked: string) => whole !== '' && whole === wordsOf(blocked).join('');
  const isInside = (blocked: string) =>
    wordsOf(blocked).length > 0 && inside.includes(` ${wordsOf(blocked).join(' ')} `);
  const offensive = [...OFFENSIVE, ...more];
  return [...RESERVED, ...offensive].find(isWhole) ?? offensive.find(isInside) ?? null;
}

function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '');
  const read = Array.from(plain, (letter) => LOOK_ALIKES[letter] ?? letter).join('');
  return read.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}
