import {
  type ArchiveFilter,
  filterOfWords,
  type Match,
  MOST_WORDS,
  readPanel,
  wordsOf,
  wordsOfFilter,
  writePanel,
} from '@archive/contracts';

/** Days as `YYYY-MM-DD`; either may be undefined. */
export interface DayRange {
  since?: string | undefined;
  until?: string | undefined;
}

/** The dates in a list's search words. */
export function rangeOf({ q }: ArchiveFilter): DayRange {
  if (!q) return {};
  const { since, until } = readPanel(q).fields;
  return { since, until };
}

/** The same filter without its dates. The plot shows it around the chosen range. */
export function withoutRange(filter: ArchiveFilter): ArchiveFilter {
  const { q } = filter;
  const { since, until } = rangeOf(filter);
  if (!q || !(since || until)) return filter;
  const { fields, rest } = readPanel(q);
  // The words stay in `q`: as a plain search they would be one exact text.
  return { ...filter, q: writePanel({ ...fields, since: undefined, until: undefined }, rest) || undefined };
}

/** The words of a list with these dates, as the filter panel would write them. */
export function withRange({ q, search, match = 'exact' }: ArchiveFilter, { since, until }: DayRange): ArchiveFilter {
  if (q) {
    const { fields, rest } = readPanel(q);
    return { match: undefined, ...filterOfWords(writePanel({ ...fields, since, until }, rest)) };
  }
  // Beside dates, each unquoted word is searched for by itself.
  const nearest = search && match !== 'exact' ? nearestWords(wordsOf(search), match) : undefined;
  const words = nearest
    ? writePanel({ content: nearest, since, until })
    : wordsOfFilter({ search, startDate: since, endDate: until });
  return { match: undefined, ...filterOfWords(words) };
}

/** The words of a looser match as a query. "All but one" means: of every two words at least one. */
function nearestWords(words: string[], match: Match): string {
  if (match !== 'most') return words.join(match === 'any' ? ' OR ' : ' ');
  const some = words.slice(0, MOST_WORDS);
  return some.flatMap((one, at) => some.slice(at + 1).map((other) => `${one} OR ${other}`)).join(' ');
}
