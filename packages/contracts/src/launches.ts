import { TOKEN_NAME_BYTES, TOKEN_SYMBOL_LENGTH } from './limits.ts';

/** Where tokens can be launched; one more has its entry in the API's `launches/platforms/platforms.ts`. */
export const LAUNCH_PLATFORMS = ['token-2022', 'pumpfun'] as const;
export type LaunchPlatformName = (typeof LAUNCH_PLATFORMS)[number];

export const LAUNCH_STATUSES = ['claimed', 'signed', 'sent', 'confirmed', 'finalized', 'failed', 'expired'] as const;
export type LaunchStatus = (typeof LAUNCH_STATUSES)[number];

/** Whether the chain shows the token. */
export function isLaunched(status: LaunchStatus): boolean {
  return status === 'confirmed' || status === 'finalized';
}

/** Line and paragraph breaks, controls, private characters, halves of characters, and what is none. */
const NOT_PRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Noncharacter_Code_Point}]/u;
/**
 * What nobody sees or what turns text around. Joiners and variation selectors, which scripts and emoji need, are allowed
 * one at a time.
 */
const HIDDEN =
  /(?![\u200c\u200d]|\p{Variation_Selector})[\p{Cf}\p{Default_Ignorable_Code_Point}]|[\u200c\u200d]{2}|\p{Variation_Selector}{2}/u;
/** What shows as nothing at all. */
const BLANK = /[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{M}\u2800]/gu;
/** What stands around name and symbol in the launch sentence: within a name it would seem to say another symbol or post. */
const SENTENCE = /with symbol|for tweet/;

/** What is wrong with a token's name, as the end of a sentence about it, or null where it may be signed. */
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

/** The same for a symbol as it is typed; it is kept upper-case. */
export function tokenSymbolProblem(symbol: string): string | null {
  if (symbol.trim() === '') return 'is required';
  const upper = symbol.toUpperCase();
  // A letter like ß becomes two, and the token would have another symbol than the one that was signed.
  const isKept = upper.length === symbol.length && /^[A-Z0-9]+$/.test(upper);
  return isKept && upper.length <= TOKEN_SYMBOL_LENGTH
    ? null
    : `must be 1 to ${TOKEN_SYMBOL_LENGTH} letters or digits (A–Z, 0–9)`;
}

/** Without what makes no difference to the eye: case, width, how much space, what nobody sees. */
function asRead(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/[\p{White_Space}\u2800]+/gu, ' ')
    .toLowerCase();
}
