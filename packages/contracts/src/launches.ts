import { TOKEN_NAME_BYTES, TOKEN_SYMBOL_LENGTH } from './limits.ts';

/** Where tokens can be launched. Each platform has an entry in the API's `launches/platforms/platforms.ts`. */
export const LAUNCH_PLATFORMS = ['token-2022', 'pumpfun'] as const;
export type LaunchPlatformName = (typeof LAUNCH_PLATFORMS)[number];

export const LAUNCH_STATUSES = ['claimed', 'signed', 'sent', 'confirmed', 'finalized', 'failed', 'expired'] as const;
export type LaunchStatus = (typeof LAUNCH_STATUSES)[number];

/** Whether the chain shows the token. */
export function isLaunched(status: LaunchStatus): boolean {
  return status === 'confirmed' || status === 'finalized';
}

/** Line and paragraph separators, controls, private-use characters, surrogates and noncharacters. */
const NOT_PRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Noncharacter_Code_Point}]/u;
/**
 * Invisible characters, and those that change the direction of text. Scripts and emoji need joiners and variation
 * selectors, so single ones are allowed.
 */
const HIDDEN =
  /(?![\u200c\u200d]|\p{Variation_Selector})[\p{Cf}\p{Default_Ignorable_Code_Point}]|[\u200c\u200d]{2}|\p{Variation_Selector}{2}/u;
/** Characters that show nothing. */
const BLANK = /[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{M}\u2800]/gu;
/** Words of the launch sentence around name and symbol. Within a name they could suggest another symbol or post. */
const SENTENCE = /with symbol|for tweet/;

/** What is wrong with a token's name, as the end of a sentence; null if the name may be signed. */
export function tokenNameProblem(name: string): string | null {
  if (name.trim() === '') return 'is required';
  if (NOT_PRINTABLE.test(name) || HIDDEN.test(name)) return 'must be printable text on one line';
  if (name.replace(BLANK, '') === '') return 'must hold a letter that can be seen';
  if (new TextEncoder().encode(name).length > TOKEN_NAME_BYTES) {
    return `must be at most ${TOKEN_NAME_BYTES} bytes in UTF-8`;
  }
  if (SENTENCE.test(asRead(name))) return 'must not read like the sentence that is signed';
  return null;
}

/** The same for a symbol as typed; the server stores it in upper case. */
export function tokenSymbolProblem(symbol: string): string | null {
  if (symbol.trim() === '') return 'is required';
  const upper = symbol.toUpperCase();
  // A letter like ß becomes two, so the token's symbol would differ from the signed one.
  const isKept = upper.length === symbol.length && /^[A-Z0-9]+$/.test(upper);
  return isKept && upper.length <= TOKEN_SYMBOL_LENGTH
    ? null
    : `must be 1 to ${TOKEN_SYMBOL_LENGTH} letters or digits (A–Z, 0–9)`;
}

/** The text without differences that a reader cannot see: case, width, amount of space, invisible characters. */
function asRead(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/[\p{White_Space}\u2800]+/gu, ' ')
    .toLowerCase();
}
