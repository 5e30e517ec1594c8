import { firstGrapheme } from './graphemes.ts';

const TONES = 6;

export interface Monogram {
  letter: string;
  tone: number;
}

/** A replacement for a missing picture: the name's first letter, on one of six colours by a hash of the handle. */
export function monogram(name: string, handle: string): Monogram {
  const start = name.search(/[\p{L}\p{N}]/u);
  const letter = firstGrapheme(start === -1 ? handle : name.slice(start)).toLocaleUpperCase('en');
  let hash = 0;
  for (const character of handle.toLowerCase()) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return { letter: letter || '?', tone: (hash % TONES) + 1 };
}
