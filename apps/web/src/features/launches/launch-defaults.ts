import { TOKEN_NAME_BYTES, tokenNameProblem } from '@archive/contracts';
import { graphemes } from '../../lib/graphemes.ts';

const SYMBOL_LENGTH = 4;
const encoder = new TextEncoder();

export interface TokenWords {
  name: string;
  symbol: string;
}

/** What the form offers: the author and "Token", as many words as fit, and the first letters or digits left of the author, or none. */
export function suggestToken(author: string): TokenWords {
  const letters = author
    .normalize('NFKD')
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '');
  return { name: cutToBytes(printable(`${author} Token`)), symbol: letters.slice(0, SYMBOL_LENGTH) };
}

/** How long a name is as a token counts it, in UTF-8. */
export function nameBytes(name: string): number {
  return encoder.encode(name).length;
}

/** A name of somebody else's may hold what no token's name may. */
function printable(text: string): string {
  let kept = '';
  for (const { segment } of graphemes(text.replace(/\s+/g, ' '))) {
    if (tokenNameProblem(`a${segment}`) === null) kept += segment;
  }
  return kept.trim();
}

/** Cut between words; within the first one between graphemes, so that no emoji or accent is torn. */
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
