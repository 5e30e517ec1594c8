/** Code units of a text that are read: what a post is about shows there, and a longer one costs no more. */
export const TEXT_READ = 4_000;

const LINK = /https?:\/\/\S{1,300}/gi;
const MENTION = /(?<![\p{L}\p{N}_.])@([\p{L}\p{N}_][\p{L}\p{N}_.-]{0,252})/gu;
const HASHTAG = /[#＃]([\p{L}\p{N}_]{1,100})/gu;
const CASHTAG = /\$([A-Za-z][A-Za-z.]{0,9})(?![A-Za-z\d])/gu;
const INVISIBLE = /[\p{Cf}\p{Variation_Selector}]/gu;
const WORD = /[\p{L}\p{M}\p{N}]+(?:['.&][\p{L}\p{M}\p{N}]+)*\+?|\p{Extended_Pictographic}/gu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** A post's text in its parts. */
export interface TextParts {
  /** Without links, mentions and cashtags; hashtags stand as words, or are left out where asked. */
  plain: string;
  links: string[];
  /** Lower-cased, without their signs. */
  mentions: string[];
  cashtags: string[];
}

/** Takes the beginning of a text apart. */
export function readText(content: string, { hashtags = true } = {}): TextParts {
  const links: string[] = [];
  const mentions: string[] = [];
  const cashtags: string[] = [];
  const keep = (list: string[]) => (_: string, name: string) => {
    list.push(name.toLowerCase().replace(/\.$/u, ''));
    return ' ';
  };
  const plain = content
    .slice(0, TEXT_READ)
    .replace(INVISIBLE, '')
    .normalize('NFKC')
    .replace(LINK, (link) => {
      links.push(link);
      return ' ';
    })
    .replace(MENTION, keep(mentions))
    .replace(CASHTAG, keep(cashtags))
    .replace(HASHTAG, (_, tag: string) => (hashtags ? ` ${wordsOfHashtag(tag)} ` : ' '))
    .replaceAll('’', "'");
  return { plain, links, mentions, cashtags };
}

/** `#OpenSource` as `Open Source`. */
function wordsOfHashtag(tag: string): string {
  return tag.replaceAll('_', ' ').replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ');
}

/** In the form that words are compared in: one spelling of each letter, no case, nothing that cannot be seen. */
export function normalise(text: string): string {
  return text.replace(INVISIBLE, '').normalize('NFKC').replaceAll('’', "'").toLowerCase();
}

/** The words of a normalised text; an emoji is one too, and a hyphen parts two. */
export function splitWords(text: string): string[] {
  return text.match(WORD) ?? [];
}

/** Whether a word may be several, in a script that writes no spaces or glues endings on. */
export function isUnspaced(word: string): boolean {
  return UNSPACED.test(word);
}

/** How many letters a text has. */
export function countLetters(text: string): number {
  return text.match(/\p{L}/gu)?.length ?? 0;
}
