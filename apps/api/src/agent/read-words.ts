/** What an author may ask of this archive for what they wrote. */
export const AUTHOR_WORDS = ['remove', 'remove all', 'no tokens', 'no archive', 'allow'] as const;
export type AuthorWord = (typeof AUTHOR_WORDS)[number];

/** The author's own words, where they are nothing but one of these. */
export function readAuthorWord(words: string): AuthorWord | null {
  const said = plain(words);
  return AUTHOR_WORDS.find((word) => word === said) ?? null;
}

/** Whether the words ask for a post to be saved: by a word for it, or by saying nothing besides the name. */
export function readRequest(words: string): { asks: boolean; wantsThread: boolean } {
  const said = plain(words);
  return {
    asks: said === '' || /(?:^|[^\p{L}\p{N}_])(?:archive|save|keep)(?![\p{L}\p{N}_])/u.test(said),
    wantsThread: /(?:^|[^\p{L}\p{N}_])thread(?![\p{L}\p{N}_])/u.test(said),
  };
}

/** Whether these are just the words of a request and nothing that could mean its contrary. */
export function isBareRequest(words: string): boolean {
  return /^(?:(?:please )?(?:archive|save|keep)(?: this)?(?: thread)?(?: please)?)?$/.test(plain(words));
}

/** As people type it: any case, links, spaces and a full stop at the end do not count. */
function plain(words: string): string {
  const said = words
    .normalize('NFC')
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '' && !/^https?:\/\//.test(word))
    .join(' ');
  return /[.!]$/.test(said) ? said.slice(0, -1) : said;
}
