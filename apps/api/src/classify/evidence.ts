import { CATEGORIES, type Category } from '@archive/contracts';
import { normalise, splitWords } from './post-words.ts';
import { casual } from './words/casual.ts';
import { crypto } from './words/crypto.ts';
import { market } from './words/market.ts';
import { meme } from './words/meme.ts';
import { news } from './words/news.ts';
import { other } from './words/other.ts';
import { OTHER_LANGUAGES } from './words/other-languages.ts';
import { political } from './words/political.ts';
import { tech } from './words/tech.ts';
import { troll } from './words/troll.ts';
import type { Evidence } from './words/word-lists.ts';

/**
 * The evidence of one entry: the category as its index in `CATEGORIES`, and the only language in which it counts, if
 * any.
 */
export interface Say {
  category: number;
  weight: number;
  language: string | null;
}

const EVIDENCE: Record<Category, Evidence> = {
  casual,
  crypto,
  market,
  meme,
  news,
  other,
  political,
  tech,
  troll,
};
const OTHER_LANGUAGE_WEIGHT = 4;

type Table = ReadonlyMap<string, readonly Say[]>;

/** Evidence by words as `splitWords` returns them; the words of a phrase are joined by one space. */
export const WORDS: Table = tableOf((add) => {
  for (const [category, { words }] of byPlace()) {
    for (const [weight, list] of Object.entries(words)) {
      for (const entry of entries(list)) add(keyOf(entry), { category, weight: Number(weight), language: null });
    }
  }
  for (const [language, lists] of Object.entries(OTHER_LANGUAGES)) {
    for (const [name, list] of Object.entries(lists)) {
      const category = CATEGORIES.indexOf(name as Category);
      for (const entry of entries(list)) add(keyOf(entry), { category, weight: OTHER_LANGUAGE_WEIGHT, language });
    }
  }
});

/** The length in words of the longest entry, by its first word. */
export const LONGEST_PHRASES: ReadonlyMap<string, number> = longestPhrases();

export const HOSTS: Table = tableOf((add) => {
  for (const [category, { hosts }] of byPlace()) {
    for (const [weight, list] of Object.entries(hosts ?? {})) {
      for (const entry of entries(list)) add(entry, { category, weight: Number(weight), language: null });
    }
  }
});

const ACCOUNT_WEIGHT = 4;
export const ACCOUNTS: Table = tableOf((add) => {
  for (const [category, { accounts }] of byPlace()) {
    for (const entry of entries(accounts ?? '')) add(entry, { category, weight: ACCOUNT_WEIGHT, language: null });
  }
});

const CASHTAG_WEIGHT = 4;
export const CASHTAGS: Table = tableOf((add) => {
  for (const [category, { cashtags }] of byPlace()) {
    for (const entry of entries(cashtags ?? '')) add(entry, { category, weight: CASHTAG_WEIGHT, language: null });
  }
});

export const CUES: readonly { form: RegExp; say: Say }[] = byPlace().flatMap(([category, { cues }]) =>
  cues.map(([weight, form]) => ({ form, say: { category, weight, language: null } })),
);

function longestPhrases(): Map<string, number> {
  const longest = new Map<string, number>();
  for (const key of WORDS.keys()) {
    const words = key.split(' ');
    const first = words[0] as string;
    longest.set(first, Math.max(longest.get(first) ?? 0, words.length));
  }
  return longest;
}

function byPlace(): [category: number, evidence: Evidence][] {
  return CATEGORIES.map((name, place) => [place, EVIDENCE[name]]);
}

function entries(list: string): string[] {
  return list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

function keyOf(entry: string): string {
  return splitWords(normalise(entry)).join(' ');
}

function tableOf(fill: (add: (key: string, say: Say) => void) => void): Table {
  const table = new Map<string, Say[]>();
  fill((key, say) => {
    const says = table.get(key) ?? [];
    // Of several entries for one category, the heaviest counts.
    const same = says.find(({ category, language }) => category === say.category && language === say.language);
    if (same) same.weight = Math.max(same.weight, say.weight);
    else says.push(say);
    table.set(key, says);
  });
  return table;
}
