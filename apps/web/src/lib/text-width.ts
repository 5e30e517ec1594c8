export type TextSize = 'short' | 'medium' | 'long';

const SHORT_WIDTH = 40;
const MEDIUM_WIDTH = 100;
const WIDE =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Extended_Pictographic}|[\u3000-\u303f\uff01-\uff60]/u;

/** At most 28 characters of an address, the length of a platform's short link. Characters beyond them count. */
const ADDRESS = /https?:\/\/\S{1,20}/g;

/** The text size of a post: the fewer characters besides short links, the larger. A wide character counts as two. */
export function textSize(text: string): TextSize {
  let width = 0;
  for (const character of text.replace(ADDRESS, '').trim()) {
    width += WIDE.test(character) ? 2 : 1;
    if (width > MEDIUM_WIDTH) return 'long';
  }
  return width <= SHORT_WIDTH ? 'short' : 'medium';
}

export type Script = 'arabic' | 'hebrew' | 'cjk' | 'other';

/** The script of a text's first letters. It decides the font and the line height. */
export function scriptOf(text: string): Script {
  const letter = text.match(/\p{L}/u)?.[0] ?? '';
  if (/\p{Script=Arabic}/u.test(letter)) return 'arabic';
  if (/\p{Script=Hebrew}/u.test(letter)) return 'hebrew';
  return /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/u.test(letter) ? 'cjk' : 'other';
}
