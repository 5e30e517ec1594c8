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

/** Days, `YYYY-MM-DD`; either may be open. */
export interface DayRange {
  since?: string | undefined;
  until?: string | undefined;
}

/** The dates that a list is narrowed to by its words. */
export function rangeOf({ q }: ArchiveFilter): DayRange {
  if (!q) return {};
  const { since, until } = readPanel(q).fields;
  return { since, until };
}

/** The same list of all dates, which the plot shows around the chosen ones. */
export function withoutRange(filter: ArchiveFilter): ArchiveFilter {
  const { q } = filter;
  const { since, until } = rangeOf(filter);
  if (!q || !(since || until)) return filter;
  const { fields, rest } = readPanel(q);
  // Words of a question stay its words: alone in the box they would be one text.
  return { ...filter, q: writePanel({ ...fields, since: undefined, until: undefined }, rest) || undefined };
}

/** The words of a list, narrowed to these dates, as the filter panel would write them. */
export function withRange({ q, search, match = 'exact' }: ArchiveFilter, { since, until }: DayRange): ArchiveFilter {
  if (q) {
    const { fields, rest } = readPanel(q);
    return { match: undefined, ...filterOfWords(writePanel({ ...fields, since, until }, rest)) };
  }
  // Beside dates each word is looked for by itself, unless it is quoted.
  const nearest = search && match !== 'exact' ? nearestWords(wordsOf(search), match) : undefined;
  const words = nearest
    ? writePanel({ content: nearest, since, until })
    : wordsOfFilter({ search, startDate: since, endDate: until });
  return { match: undefined, ...filterOfWords(words) };
}

/** As one would write it: all but one are held where of every two at least one is. */
function nearestWords(words: string[], match: Match): string {
  if (match !== 'most') return words.join(match === 'any' ? ' OR ' : ' ');
  const some = words.slice(0, MOST_WORDS);
  return some.flatMap((one, at) => some.slice(at + 1).map((other) => `${one} OR ${other}`)).join(' ');
}
