/** Code units that are read of a text. They suffice to find the subject and bound the cost. */
export const TEXT_READ = 4_000;

const LINK = /https?:\/\/\S{1,300}/gi;
const MENTION = /(?<![\p{L}\p{N}_.])@([\p{L}\p{N}_][\p{L}\p{N}_.-]{0,252})/gu;
const HASHTAG = /[#＃]([\p{L}\p{N}_]{1,100})/gu;
const CASHTAG = /\$([A-Za-z][A-Za-z.]{0,9})(?![A-Za-z\d])/gu;
const INVISIBLE = /[\p{Cf}\p{Variation_Selector}]/gu;
const WORD = /[\p{L}\p{M}\p{N}]+(?:['.&][\p{L}\p{M}\p{N}]+)*\+?|\p{Extended_Pictographic}/gu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** The parts of a post's text. */
export interface TextParts {
  /** The text without links, mentions and cashtags; hashtags become words or are left out. */
  plain: string;
  links: string[];
  /** Lower-case, without their signs. */
  mentions: string[];
  cashtags: string[];
}

/** Splits the beginning of a text into its parts. */
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

/** `#OpenSource` becomes `Open Source`. */
function wordsOfHashtag(tag: string): string {
  return tag.replaceAll('_', ' ').replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ');
}

/** Normalises a text for comparison: NFKC, lower-case, no invisible characters. */
export function normalise(text: string): string {
  return text.replace(INVISIBLE, '').normalize('NFKC').replaceAll('’', "'").toLowerCase();
}

/** The words of a normalised text. An emoji is a word, and a hyphen separates words. */
export function splitWords(text: string): string[] {
  return text.match(WORD) ?? [];
}

/** Whether a word may contain several, in a script without spaces or a language with glued endings. */
export function isUnspaced(word: string): boolean {
  return UNSPACED.test(word);
}

export function countLetters(text: string): number {
  return text.match(/\p{L}/gu)?.length ?? 0;
}
