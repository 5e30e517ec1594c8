/** The length of a text in code points, as the archive counts it. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

export function cutCodePoints(text: string, limit: number): string {
  // A text has at most as many code points as code units, so a short text needs no counting.
  return text.length <= limit ? text : Array.from(text).slice(0, limit).join('');
}
