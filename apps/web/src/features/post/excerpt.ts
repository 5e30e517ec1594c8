import { cutGraphemes, graphemes } from '../../lib/graphemes.ts';
import { highlightParts } from '../../lib/highlight.ts';

/** The part of the excerpt before a match that is not in the text's beginning. */
const BEFORE_MATCH = 1 / 3;
/** Graphemes to look back for the beginning of a word. */
const WORD_REACH = 12;

/** A range of a text, in UTF-16 units. */
export interface Excerpt {
  from: number;
  to: number;
}

/**
 * `limit` graphemes of a text: from the start if that contains the first match or there is none, else around the match.
 */
export function excerpt(text: string, terms: readonly string[], limit: number): Excerpt {
  const start = cutGraphemes(text, limit);
  const whole = { from: 0, to: start.text.length };
  if (!start.wasCut || terms.length === 0) return whole;
  const match = firstMatch(text, terms);
  if (match === null || match.to <= whole.to) return whole;

  const bounds = [...Array.from(graphemes(text), ({ index }) => index), text.length];
  const last = bounds.length - 1;
  const matchAt = bounds.findLastIndex((index) => index <= match.from);
  let first = Math.max(0, Math.min(matchAt - Math.floor(limit * BEFORE_MATCH), last - limit));
  for (let back = 0; back < WORD_REACH && first + back < matchAt; back += 1) {
    if (/\s/.test(text[(bounds[first + back] ?? 0) - 1] ?? ' ')) {
      first += back;
      break;
    }
  }
  return { from: bounds[first] ?? 0, to: bounds[Math.min(first + limit, last)] ?? text.length };
}

function firstMatch(text: string, terms: readonly string[]): Excerpt | null {
  let from = 0;
  for (const part of highlightParts(text, terms)) {
    if (part.isMatch) return { from, to: from + part.text.length };
    from += part.text.length;
  }
  return null;
}
