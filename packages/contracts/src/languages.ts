/** Characters of a language tag. */
export const LANGUAGE_TAG_LENGTH = 35;

/** A BCP 47 tag as posts bear them: a language of two or three letters, and what tells it closer. */
export const LANGUAGE_TAG = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/;

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** Tags that were replaced by others; X still sends the first two. */
const RENAMED = new Map([
  ['in', 'id'],
  ['iw', 'he'],
  ['ji', 'yi'],
  ['jw', 'jv'],
  ['mo', 'ro'],
]);

/** X tags what it cannot tell, or what has no words, with codes of its own. */
const NO_LANGUAGE = /^(und|zxx|art|qam|qct|qht|qme|qst)$/i;

export function isLanguageTag(text: string): boolean {
  return text.length <= LANGUAGE_TAG_LENGTH && LANGUAGE_TAG.test(text);
}

/** The language a tag begins with, in lower case and as it is called today: `pt` of `pt-BR`, `id` of `in`. */
export function primaryLanguage(tag: string): string {
  const [language = ''] = tag.toLowerCase().split('-');
  return RENAMED.get(language) ?? language;
}

/** The language of a post as it is kept: what it says itself, else what its metadata says. */
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

/** `en` of "English". The names are those of the runtime, for all tags of two letters. */
function tagOfName(name: string): string | undefined {
  // No name is shorter than "Lao".
  if (name.length < 3 || name.length > LANGUAGE_TAG_LENGTH) return undefined;
  // Of two tags of one name the first.
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
