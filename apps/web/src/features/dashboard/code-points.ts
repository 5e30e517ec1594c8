/** How long a text is as the archive counts: an emoji of one code point is one. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

export function cutCodePoints(text: string, limit: number): string {
  // No code point is shorter than a code unit, so a short text needs no counting.
  return text.length <= limit ? text : Array.from(text).slice(0, limit).join('');
}
