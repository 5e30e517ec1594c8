import { CATEGORIES, type Category, parseUrl } from '@archive/contracts';
import { ACCOUNTS, CASHTAGS, CUES, HOSTS, LONGEST_PHRASES, type Say, WORDS } from './evidence.ts';
import { isUnspaced, normalise, readText, splitWords, type TextParts } from './post-words.ts';

/** The fields of a post that decide its category. */
export interface PostToClassify {
  content: string;
  links: readonly { url: string }[];
  authorHandle: string;
  /** A BCP 47 tag; null if unknown. */
  language: string | null;
}

/**
 * Least score of a category, and its least lead over the next one. Everyday words occur in posts of all kinds, so
 * `casual` and `other` need more.
 */
const LEAST_SCORE = 4;
const LEAST_SCORE_OF: Partial<Record<Category, number>> = { casual: 8, other: 7, troll: 5 };
const LEAST_LEAD = 2;
const LEAST_RATIO = 1.5;

const MENTION_WEIGHT = 2;
/** The word that an address on a chain counts as. */
const ADDRESS = 'blockchain';
const UNKNOWN_CASHTAG_WEIGHT = 3;
/** Longest word in scripts without spaces, in code units. */
const LONGEST_RUN = 8;
const LINKS_READ = 20;

/**
 * The category of a post by its words, cashtags, links and author; null if none has enough evidence. Deterministic;
 * never throws.
 */
export function classify(post: PostToClassify): Category | null {
  const scores = scorePost(post);
  const order = scores.map((score, place) => ({ score, place })).sort((one, next) => next.score - one.score);
  const [best, second] = order;
  const name = CATEGORIES[best?.place ?? -1];
  if (!best || !second || !name || best.score < (LEAST_SCORE_OF[name] ?? LEAST_SCORE)) return null;
  const isAhead = best.score - second.score >= LEAST_LEAD && best.score >= second.score * LEAST_RATIO;
  return isAhead ? name : null;
}

/** The score of each category, in the order of `CATEGORIES`. */
function scorePost({ content, links, authorHandle, language }: PostToClassify): number[] {
  const scores = CATEGORIES.map(() => 0);
  const primary = language?.split('-')[0]?.toLowerCase() ?? null;
  const add = (says: readonly Say[] | undefined, weight?: number) => {
    for (const say of says ?? []) {
      if (say.language !== null && primary !== null && say.language !== primary) continue;
      scores[say.category] = (scores[say.category] ?? 0) + (weight ?? say.weight);
    }
  };
  const text = readText(content);
  for (const key of wordsFound(text.plain)) add(WORDS.get(key));
  for (const { form, say } of CUES) if (form.test(text.plain)) add([say]);
  for (const tag of new Set(text.cashtags)) add(CASHTAGS.get(tag) ?? unknownCashtag(tag));
  for (const name of new Set(text.mentions)) add(ACCOUNTS.get(bareHandle(name)), MENTION_WEIGHT);
  add(saysOfAuthor(authorHandle));
  for (const says of saysOfLinks(text, links)) add(says);
  return scores;
}

/** Known words and phrases in a text, each once. A phrase hides its single words. */
function wordsFound(plain: string): Set<string> {
  const found = new Set<string>();
  const words = splitWords(normalise(plain));
  for (let at = 0; at < words.length; ) {
    const word = words[at] as string;
    const length = isUnspaced(word) ? 0 : phraseAt(words, at, found);
    if (length === 0) runsWithin(word, found);
    if (isAddressOnChain(word)) found.add(ADDRESS);
    at += Math.max(1, length);
  }
  return found;
}

/** 32 bytes in base58, as most chains write accounts. A text of letters alone would be a word. */
function isAddressOnChain(word: string): boolean {
  return word.length >= 32 && word.length <= 44 && /^[a-z1-9]+$/.test(word) && /\d/.test(word);
}

/** The number of words in the longest known phrase that begins here; 0 if there is none. */
function phraseAt(words: readonly string[], at: number, found: Set<string>): number {
  const longest = LONGEST_PHRASES.get(words[at] as string) ?? 1;
  for (let length = Math.min(longest, words.length - at); length > 0; length--) {
    const key = known(length === 1 ? (words[at] as string) : words.slice(at, at + length).join(' '));
    if (key === null) continue;
    found.add(key);
    return length;
  }
  return 0;
}

function known(key: string): string | null {
  if (WORDS.has(key)) return key;
  const bare = key.replace(/(?:'s|s')$/u, '');
  if (bare !== key && WORDS.has(bare)) return bare;
  return key.length > 4 && key.endsWith('s') && WORDS.has(key.slice(0, -1)) ? key.slice(0, -1) : null;
}

function runsWithin(word: string, found: Set<string>): void {
  if (!isUnspaced(word)) return;
  for (let start = 0; start < word.length; start++) {
    for (let end = start + 1; end <= Math.min(word.length, start + LONGEST_RUN); end++) {
      const run = word.slice(start, end);
      if (WORDS.has(run)) found.add(run);
    }
  }
}

/** Tickers of shares have up to four letters, those of most tokens more. */
function unknownCashtag(tag: string): Say[] {
  const category = CATEGORIES.indexOf(tag.length > 4 ? 'crypto' : 'market');
  return [{ category, weight: UNKNOWN_CASHTAG_WEIGHT, language: null }];
}

function bareHandle(handle: string): string {
  return handle
    .toLowerCase()
    .replace(/^@/u, '')
    .replace(/\.bsky\.social$/u, '');
}

/** A handle on Bluesky may be a host name. */
function saysOfAuthor(handle: string): readonly Say[] | undefined {
  const bare = bareHandle(handle);
  return ACCOUNTS.get(bare) ?? (bare.includes('.') ? saysOfHost(bare, '') : undefined);
}

function saysOfLinks(text: TextParts, links: readonly { url: string }[]): Set<readonly Say[]> {
  const found = new Set<readonly Say[]>();
  for (const address of [...links.map(({ url }) => url), ...text.links].slice(0, LINKS_READ)) {
    const url = parseUrl(address);
    const says = url && saysOfHost(url.hostname, url.pathname);
    if (says) found.add(says);
  }
  return found;
}

/** The evidence of the longest known name that a host ends with, first combined with the start of its path. */
function saysOfHost(hostname: string, pathname: string): readonly Say[] | undefined {
  const segments = pathname.split('/').slice(1, 3);
  const labels = hostname.toLowerCase().split('.').slice(-5);
  for (let at = 0; at < labels.length - 1; at++) {
    const host = labels.slice(at).join('.');
    const says =
      HOSTS.get([host, ...segments].join('/')) ?? HOSTS.get(`${host}/${segments[0] ?? ''}`) ?? HOSTS.get(host);
    if (says) return says;
  }
  return undefined;
}
