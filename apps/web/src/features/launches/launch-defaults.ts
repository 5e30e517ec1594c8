import { TOKEN_NAME_BYTES, tokenNameProblem } from '@archive/contracts';
import { graphemes } from '../../lib/graphemes.ts';

const SYMBOL_LENGTH = 4;
const encoder = new TextEncoder();

export interface TokenWords {
  name: string;
  symbol: string;
}

/**
 * The form's suggestion: the author's name and "Token", cut to fit, and a symbol from the author's first letters or
 * digits, which may be empty.
 */
export function suggestToken(author: string): TokenWords {
  const letters = author
    .normalize('NFKD')
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '');
  return { name: cutToBytes(printable(`${author} Token`)), symbol: letters.slice(0, SYMBOL_LENGTH) };
}

/** The length of a token name in UTF-8 bytes. */
export function nameBytes(name: string): number {
  return encoder.encode(name).length;
}

/** Removes characters that a token name may not contain. */
function printable(text: string): string {
  let kept = '';
  for (const { segment } of graphemes(text.replace(/\s+/g, ' '))) {
    if (tokenNameProblem(`a${segment}`) === null) kept += segment;
  }
  return kept.trim();
}

/** Cuts between words; within the first word between graphemes, so that no emoji or accent is split. */
function cutToBytes(text: string): string {
  if (nameBytes(text) <= TOKEN_NAME_BYTES) return text;
  let kept = '';
  for (const { segment } of graphemes(text)) {
    if (nameBytes(kept + segment) > TOKEN_NAME_BYTES) {
      const isWhole = segment === ' ';
      return (isWhole ? kept : kept.slice(0, kept.lastIndexOf(' ') + 1) || kept).trimEnd();
    }
    kept += segment;
  }
  return kept;
}
