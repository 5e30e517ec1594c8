import { foldText } from '@archive/contracts';
import { graphemes } from './graphemes.ts';

export interface TextPart {
  text: string;
  isMatch: boolean;
}

/**
 * Splits a text where any of the terms matches, by the rules of the archive's search. Folding can change a text's
 * length, so the text is folded grapheme by grapheme, and a match covers whole graphemes.
 */
export function highlightParts(text: string, terms: readonly string[]): TextPart[] {
  const needles = terms.map(foldForDisplay).filter((needle) => needle !== '');
  if (needles.length === 0 || text === '') return [{ text, isMatch: false }];

  let folded = '';
  const startOf: number[] = [];
  const endOf: number[] = [];
  for (const { segment, index } of graphemes(text)) {
    const piece = foldForDisplay(segment);
    folded += piece;
    for (let unit = 0; unit < piece.length; unit += 1) {
      startOf.push(index);
      endOf.push(index + segment.length);
    }
  }
  return split(text, mergeRanges(needles.flatMap((needle) => find(folded, needle, startOf, endOf))));
}

type Range = [start: number, end: number];

/** The lower case of a final sigma depends on its neighbours, which a single grapheme lacks. */
function foldForDisplay(text: string): string {
  return foldText(text).replaceAll('ς', 'σ');
}

function find(folded: string, needle: string, startOf: number[], endOf: number[]): Range[] {
  const ranges: Range[] = [];
  for (let at = folded.indexOf(needle); at !== -1; at = folded.indexOf(needle, at + needle.length)) {
    ranges.push([startOf[at] ?? 0, endOf[at + needle.length - 1] ?? 0]);
  }
  return ranges;
}

function mergeRanges(ranges: Range[]): Range[] {
  const merged: Range[] = [];
  for (const [start, end] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else merged.push([start, end]);
  }
  return merged;
}

function split(text: string, ranges: Range[]): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const [start, end] of ranges) {
    if (start > from) parts.push({ text: text.slice(from, start), isMatch: false });
    parts.push({ text: text.slice(start, end), isMatch: true });
    from = end;
  }
  if (from < text.length) parts.push({ text: text.slice(from), isMatch: false });
  return parts;
}
