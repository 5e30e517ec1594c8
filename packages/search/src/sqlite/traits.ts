import { type MediaFilter, PLATFORMS, type Platform, primaryLanguage, showsMedia } from '@archive/contracts';
import { FLAGS, type Flag, type IndexedPost } from '../indexed-post.ts';

/**
 * The properties of a post that filters ask for besides its words, as one number. It is so small that every sort index
 * stores it, and posts are counted by all properties at once.
 *
 * - bits 0 and 1: whether the post shows a picture, and whether a video;
 * - bits 2 to 4: the platform, as its index in `PLATFORMS` plus 1;
 * - bits 5 to 9: `FLAGS`;
 * - from bit 10 on: the language, 0 if unknown.
 */
export function packTraits({ media, platform, language, flags }: Facets): number {
  const shown = (showsMedia(media, 'image') ? IMAGE : 0) | (showsMedia(media, 'video') ? VIDEO : 0);
  const set = flags.reduce((bits, name) => bits | flagBit(name), 0);
  return shown | platformBits(platform) | set | (language === null ? 0 : languageBits(language));
}

type Facets = Pick<IndexedPost, 'media' | 'platform' | 'language' | 'flags'>;

const FLAG_SHIFT = 5;

export function flagBit(name: Flag): number {
  return 1 << (FLAG_SHIFT + FLAGS.indexOf(name));
}

const [IMAGE, VIDEO] = [0b01, 0b10];
const [PLATFORM_SHIFT, LANGUAGE_SHIFT] = [2, 10];
const MASKS = { media: 0b11, platform: 0b111_00, language: -1 << LANGUAGE_SHIFT };

/** Matches posts whose masked traits equal one of the values. */
export interface Trait {
  mask: number;
  values: number[];
}

const SHOWN: Record<MediaFilter, number[]> = {
  any: [IMAGE, VIDEO, IMAGE | VIDEO],
  image: [IMAGE, IMAGE | VIDEO],
  video: [VIDEO, IMAGE | VIDEO],
  none: [0],
};

export function mediaTrait(media: MediaFilter): Trait {
  return { mask: MASKS.media, values: SHOWN[media] };
}

export function platformTrait(platform: Platform): Trait {
  return { mask: MASKS.platform, values: [platformBits(platform)] };
}

/** Null if no post can have this language. */
export function languageTrait(tag: string): Trait | null {
  const bits = languageBits(tag);
  return bits === 0 ? null : { mask: MASKS.language, values: [bits] };
}

/** The language in these traits; null if unknown. */
export function languageOfTraits(traits: number): string | null {
  let number = (traits >> LANGUAGE_SHIFT) - 1;
  if (number < 0) return null;
  const length = number < 26 ** 2 ? 2 : 3;
  if (length === 3) number -= 26 ** 2;
  const letters = Array.from({ length }, (_, place) => Math.floor(number / 26 ** (length - 1 - place)) % 26);
  return String.fromCharCode(...letters.map((letter) => letter + 'a'.charCodeAt(0)));
}

/** First code point of the trait tokens: far from the letters of the category tokens, and above the surrogates. */
const TOKENS = 0x2_0000;
const FLAG_TOKENS = 0x100;
const LANGUAGE_TOKENS = 0x200;

/** A trigram that no search text can contain. Values under different masks have different tokens. */
export function traitToken(value: number): string {
  return token(value < 1 << LANGUAGE_SHIFT ? value : LANGUAGE_TOKENS + (value >> LANGUAGE_SHIFT));
}

export function flagToken(name: Flag): string {
  return token(FLAG_TOKENS + FLAGS.indexOf(name));
}

function token(number: number): string {
  return `\u0001\u0001${String.fromCodePoint(TOKENS + number)}`;
}

/** The full-text fields of these traits. `flags` holds one token per set flag. */
export function traitFields(traits: number): [media: string, platform: string, language: string, flags: string] {
  const language = traits & MASKS.language;
  return [
    traitToken(traits & MASKS.media),
    traitToken(traits & MASKS.platform),
    language === 0 ? '' : traitToken(language),
    flagTokens(traits).join(''),
  ];
}

function flagTokens(traits: number): string[] {
  return FLAGS.filter((name) => traits & flagBit(name)).map(flagToken);
}

function platformBits(platform: Platform): number {
  return (PLATFORMS.indexOf(platform) + 1) << PLATFORM_SHIFT;
}

/** Codes of two letters come before codes of three; 0 for any other tag. */
function languageBits(tag: string): number {
  const language = primaryLanguage(tag);
  if (!/^[a-z]{2,3}$/.test(language)) return 0;
  let number = 0;
  for (const letter of language) number = number * 26 + letter.charCodeAt(0) - 'a'.charCodeAt(0);
  return (1 + number + (language.length === 3 ? 26 ** 2 : 0)) << LANGUAGE_SHIFT;
}
