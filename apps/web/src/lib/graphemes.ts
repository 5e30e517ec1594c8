const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

export interface Cut {
  text: string;
  wasCut: boolean;
}

/** The first `limit` graphemes, so that no emoji or accent is split. Line breaks stay. */
export function cutGraphemes(text: string, limit: number): Cut {
  // A grapheme has at least one code unit, so a short text needs no segmenting.
  if (text.length <= limit) return { text, wasCut: false };
  let count = 0;
  for (const { index } of segmenter.segment(text)) {
    if (count === limit) return { text: text.slice(0, index).trimEnd(), wasCut: true };
    count += 1;
  }
  return { text, wasCut: false };
}

export function firstGrapheme(text: string): string {
  for (const { segment } of segmenter.segment(text)) return segment;
  return '';
}

export function graphemes(text: string): Iterable<{ segment: string; index: number }> {
  return segmenter.segment(text);
}
