/** Characters of a language tag. */
export const LANGUAGE_TAG_LENGTH = 35;

/** A BCP 47 tag of a post: a language of two or three letters, and optional subtags. */
export const LANGUAGE_TAG = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/;

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** Outdated tags and their replacements; X still sends the first two. */
const RENAMED = new Map([
  ['in', 'id'],
  ['iw', 'he'],
  ['ji', 'yi'],
  ['jw', 'jv'],
  ['mo', 'ro'],
]);

/** X's own codes for text of unknown language and for posts without words. */
const NO_LANGUAGE = /^(und|zxx|art|qam|qct|qht|qme|qst)$/i;

export function isLanguageTag(text: string): boolean {
  return text.length <= LANGUAGE_TAG_LENGTH && LANGUAGE_TAG.test(text);
}

/** The language of a tag, in lower case and by its current code: `pt` of `pt-BR`, `id` of `in`. */
export function primaryLanguage(tag: string): string {
  const [language = ''] = tag.toLowerCase().split('-');
  return RENAMED.get(language) ?? language;
}

/** The language of a post: the post's own, else that of its metadata. */
export function languageOf(post: { language?: string; metadata?: Record<string, unknown> }): string | null {
  return post.language ?? readLanguage(post.metadata?.['language']);
}

/** The tag of a language, from the tag itself or from its English name; null where the value is neither. */
export function readLanguage(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const tag = tagOfName(value) ?? value;
  return isLanguageTag(tag) && !NO_LANGUAGE.test(tag) ? tag : null;
}

let tagsOfNames: ReadonlyMap<string, string> | undefined;

/** `en` of "English". The names come from the runtime, for all tags of two letters. */
function tagOfName(name: string): string | undefined {
  // No name is shorter than "Lao".
  if (name.length < 3 || name.length > LANGUAGE_TAG_LENGTH) return undefined;
  // If two tags have the same name, the first wins.
  tagsOfNames ??= new Map([...namesOfLanguages()].reverse());
  return tagsOfNames.get(name.toLowerCase());
}

function* namesOfLanguages(): Generator<[string, string]> {
  const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
  for (const first of LETTERS) {
    for (const second of LETTERS) {
      const tag = first + second;
      const name = RENAMED.has(tag) ? undefined : names.of(tag);
      if (name !== undefined) yield [name.toLowerCase(), tag];
    }
  }
}
