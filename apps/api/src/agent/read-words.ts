/** What an author may ask of this archive about own posts. */
export const AUTHOR_WORDS = ['remove', 'remove all', 'no tokens', 'no archive', 'allow'] as const;
export type AuthorWord = (typeof AUTHOR_WORDS)[number];

/** The author's word, if the text consists of nothing else. */
export function readAuthorWord(words: string): AuthorWord | null {
  const said = plain(words);
  return AUTHOR_WORDS.find((word) => word === said) ?? null;
}

/** Whether the text asks for a save: by a word for it, or by containing nothing but the name. */
export function readRequest(words: string): { asks: boolean; wantsThread: boolean } {
  const said = plain(words);
  return {
    asks: said === '' || /(?:^|[^\p{L}\p{N}_])(?:archive|save|keep)(?![\p{L}\p{N}_])/u.test(said),
    wantsThread: /(?:^|[^\p{L}\p{N}_])thread(?![\p{L}\p{N}_])/u.test(said),
  };
}

/** Whether the text consists of request words only, without anything that could mean the opposite. */
export function isBareRequest(words: string): boolean {
  return /^(?:(?:please )?(?:archive|save|keep)(?: this)?(?: thread)?(?: please)?)?$/.test(plain(words));
}

/** Normalises typed text: case, links, spaces and a final `.` or `!` do not count. */
function plain(words: string): string {
  const said = words
    .normalize('NFC')
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '' && !/^https?:\/\//.test(word))
    .join(' ');
  return /[.!]$/.test(said) ? said.slice(0, -1) : said;
}
