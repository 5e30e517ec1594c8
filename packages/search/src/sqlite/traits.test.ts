import { MEDIA_FILTERS, MEDIA_TYPES, type MediaType, PLATFORMS, showsMedia } from '@archive/contracts';
import { expect, test } from '@jest/globals';
import { FLAGS, type Flag } from '../indexed-post.ts';
import {
  flagBit,
  flagToken,
  languageOfTraits,
  languageTrait,
  mediaTrait,
  packTraits,
  platformTrait,
  type Trait,
  traitFields,
  traitToken,
} from './traits.ts';

const MEDIA: MediaType[][] = [[], ['image'], ['gif'], ['video'], ['image', 'video'], ['gif', 'gif'], [...MEDIA_TYPES]];
const LANGUAGES = [null, 'aa', 'en', 'zz', 'aaa', 'fil', 'zzz'];

const FLAG_SETS = [[], ['link'], ['quote', 'featured', 'deleted'], [...FLAGS]] as Flag[][];

const posts = MEDIA.flatMap((media) =>
  PLATFORMS.flatMap((platform) =>
    LANGUAGES.flatMap((language) => FLAG_SETS.map((flags) => ({ media, platform, language, flags }))),
  ),
);

function has(traits: number, { mask, values }: Trait): boolean {
  return values.includes(traits & mask);
}

test('posts are told apart by each trait, whatever the others are', () => {
  for (const post of posts) {
    const traits = packTraits(post);
    for (const media of MEDIA_FILTERS) expect(has(traits, mediaTrait(media))).toBe(showsMedia(post.media, media));
    for (const platform of PLATFORMS) expect(has(traits, platformTrait(platform))).toBe(post.platform === platform);
    for (const tag of LANGUAGES) {
      if (tag !== null) expect(has(traits, languageTrait(tag) as Trait)).toBe(post.language === tag);
    }
    for (const name of FLAGS) expect((traits & flagBit(name)) !== 0).toBe(post.flags.includes(name));
  }
});

test('the full text holds a token of each trait that is asked for, and of no other', () => {
  for (const post of posts) {
    const traits = packTraits(post);
    const fields = traitFields(traits);
    const asked = [
      ...MEDIA_FILTERS.map(mediaTrait),
      ...PLATFORMS.map(platformTrait),
      ...LANGUAGES.flatMap((tag) => (tag && languageTrait(tag)) || []),
    ];
    for (const trait of asked) {
      expect(trait.values.some((value) => fields.includes(traitToken(value)))).toBe(has(traits, trait));
    }
    for (const name of FLAGS) {
      expect(fields[3].includes(flagToken(name))).toBe(post.flags.includes(name));
    }
    for (const field of fields) expect(Array.from(field).length % 3 === 0 && field.isWellFormed()).toBe(true);
  }
});

test('a language of two letters leaves the number at three bytes', () => {
  expect(packTraits({ media: [...MEDIA_TYPES], platform: 'other', language: 'zz', flags: [] })).toBeLessThan(2 ** 23);
});

test('what is no language is none', () => {
  expect(languageTrait('é')).toBeNull();
  expect(packTraits({ media: [], platform: 'x', language: '中文', flags: [] })).toBe(
    packTraits({ media: [], platform: 'x', language: null, flags: [] }),
  );
});

test('the language is read back from traits as its first two or three letters', () => {
  for (const language of ['aa', 'en', 'zz', 'aaa', 'tlh', 'zzz', null]) {
    const traits = packTraits({ media: ['video'], platform: 'bluesky', language, flags: ['launched'] });
    expect(languageOfTraits(traits)).toBe(language);
  }
  expect(languageOfTraits(packTraits({ media: [], platform: 'x', language: 'pt-BR', flags: [] }))).toBe('pt');
});
