import { PRODUCT_NAME } from '@archive/contracts';

/** Names that a token must not pretend to be. Refused as the whole name or symbol, and together with a claim. */
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

/** Words that make a name look like the official one. */
const CLAIMS = ['official', 'verified', 'foundation', 'labs'];

/** Refused as separate words anywhere in the text, like the words that an operator adds. */
const OFFENSIVE = ['hitler', 'nazi', 'kkk', 'child porn'];

/** Characters that look like these letters; lower-case, after NFKD. `l` counts as `i`. */
const READ_AS: Record<string, string> = {
  a: '4@аαɑᴀ',
  b: '8₿вьβƀʙ',
  c: '¢сςᴄ',
  d: 'ԁđᴅ',
  e: '3€еєεɇᴇ',
  f: 'ғꜰ',
  g: 'ԍցɡɢ',
  h: 'нһηհħʜ',
  i: 'l1!|¡іӏιıłɨɪʟǀ',
  j: 'јյᴊ',
  k: 'кκᴋ',
  m: 'мᴍ',
  n: 'пոɴ',
  o: '0оοσօøᴏ',
  p: 'рρᴘ',
  q: 'ԛզ',
  r: 'гʀ',
  s: '5$ѕꜱ',
  t: '7тτŧᴛ',
  u: 'υμսʉᴜ',
  v: 'ѵνᴠ',
  w: 'ԝωաᴡ',
  x: 'хχ',
  y: 'уγʏ',
  z: '2ƶᴢ',
};
const LOOK_ALIKES = new Map(
  Object.entries(READ_AS).flatMap(([letter, others]) => Array.from(others, (other) => [other, letter] as const)),
);
/** First letters of the boxed, circled and flag alphabets, which NFKD does not change. */
const BOXED = [0x1f150, 0x1f170, 0x1f1e6];

/**
 * The blocked word that a name or symbol equals or contains; null if there is none. Case, accents, spacing, invisible
 * characters and look-alike letters make no difference.
 */
export function findBlockedWord(text: string, more: readonly string[]): string | null {
  const words = wordsOf(text);
  const inside = ` ${words.join(' ')} `;
  const whole = words.join('');
  const isWhole = (blocked: string) => whole !== '' && whole === joined(blocked);
  const isInside = (blocked: string) => joined(blocked) !== '' && inside.includes(` ${wordsOf(blocked).join(' ')} `);
  const claims = CLAIMS.map(joined);
  const isClaim = words.some((word) => claims.includes(word));
  const rest = claims.reduce((left, claim) => left.replaceAll(claim, ''), whole);
  const isClaimed = (blocked: string) => rest === joined(blocked) || (isClaim && isInside(blocked));
  const offensive = [...OFFENSIVE, ...more];
  return [...RESERVED, ...offensive].find(isWhole) ?? RESERVED.find(isClaimed) ?? offensive.find(isInside) ?? null;
}

function joined(text: string): string {
  return wordsOf(text).join('');
}

function wordsOf(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}|\p{Default_Ignorable_Code_Point}/gu, '');
  const read = Array.from(plain, (sign) => LOOK_ALIKES.get(sign) ?? unboxed(sign)).join('');
  return read.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}

function unboxed(sign: string): string {
  const code = sign.codePointAt(0) as number;
  const first = BOXED.find((one) => code >= one && code < one + 26);
  if (first === undefined) return sign;
  const letter = String.fromCharCode('a'.charCodeAt(0) + code - first);
  return LOOK_ALIKES.get(letter) ?? letter;
}
