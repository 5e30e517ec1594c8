import {
  type MediaFilter,
  type MediaType,
  PLATFORMS,
  type Platform,
  primaryLanguage,
  showsMedia,
} from '@archive/contracts';

/**
 * Media, platform and language of a post as one number, of two bytes unless its language has three letters: so small that
 * every index by a key holds it, and posts are counted by all of it at once.
 *
 * - bits 0 and 1: whether it shows a picture, and whether a video;
 * - bits 2 to 4: the platform, by its place in `PLATFORMS` from 1;
 * - from bit 5 on: the language, 0 where none is known.
 */
export function packTraits({
  media,
  platform,
  language,
}: {
  media: readonly MediaType[];
  platform: Platform;
  language: string | null;
}): number {
  const shown = (showsMedia(media, 'image') ? IMAGE : 0) | (showsMedia(media, 'video') ? VIDEO : 0);
  return shown | platformBits(platform) | (language === null ? 0 : languageBits(language));
}

const [IMAGE, VIDEO] = [0b01, 0b10];
const [PLATFORM_SHIFT, LANGUAGE_SHIFT] = [2, 5];
const MASKS = { media: 0b11, platform: 0b111_00, language: -1 << LANGUAGE_SHIFT };

/** Posts whose traits, under the mask, are one of these. */
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

/** Null where posts cannot be in this language. */
export function languageTrait(tag: string): Trait | null {
  const bits = languageBits(tag);
  return bits === 0 ? null : { mask: MASKS.language, values: [bits] };
}

/** Far from the letters by which the full text knows categories; no sum with traits is half a character. */
const TOKENS = 0x2_0000;

/** A trigram of the full text that no text can ask for; values under different masks never equal. */
export function traitToken(value: number): string {
  return `\u0001\u0001${String.fromCodePoint(TOKENS + value)}`;
}

/** What the full text holds of these traits, one field each. */
export function traitFields(traits: number): [media: string, platform: string, language: string] {
  const language = traits & MASKS.language;
  return [
    traitToken(traits & MASKS.media),
    traitToken(traits & MASKS.platform),
    language === 0 ? '' : traitToken(language),
  ];
}

function platformBits(platform: Platform): number {
  return (PLATFORMS.indexOf(platform) + 1) << PLATFORM_SHIFT;
}

/** Two letters come before three; 0 for anything else. */
function languageBits(tag: string): number {
  const language = primaryLanguage(tag);
  if (!/^[a-z]{2,3}$/.test(language)) return 0;
  let number = 0;
  for (const letter of language) number = number * 26 + letter.charCodeAt(0) - 'a'.charCodeAt(0);
  return (1 + number + (language.length === 3 ? 26 ** 2 : 0)) << LANGUAGE_SHIFT;
}
