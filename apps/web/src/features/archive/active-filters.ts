import { parseQuery, printQuery, usesOperators } from '@archive/contracts';
import { type ViewState, wordsIn } from './view-state.ts';

/** The number of filter chips. A start date and an end date share one chip. */
export function countFilters({ q, author, content }: ViewState): number {
  const ends = new Set<string>();
  const { groups } = parseQuery(q ?? '');
  for (const {
    terms: [first, second],
  } of groups) {
    if (first && !second && !first.isNegated && (first.asked.by === 'since' || first.asked.by === 'until'))
      ends.add(first.asked.by);
  }
  return groups.length - (ends.size === 2 ? 1 : 0) + (author ? 1 : 0) + (content ? 1 : 0);
}

export function isNarrowed(view: ViewState): boolean {
  return Boolean(view.author || view.content) || wordsIn(view) !== '';
}

/** The same query with its plain words joined by OR; null if it has fewer than two. */
export function anyOfWords({ q }: ViewState): string | null {
  const { groups } = parseQuery(q ?? '');
  const isWord = ({ terms: [first, second] }: (typeof groups)[number]) =>
    first !== undefined && !second && first.asked.by === 'text' && !first.isNegated && !first.asked.isQuoted;
  const words = groups.filter(isWord);
  if (words.length < 2) return null;
  return printQuery([{ terms: words.flatMap(({ terms }) => terms) }, ...groups.filter((group) => !isWord(group))]);
}

/** A change that removes all filters. */
export const NO_FILTERS = {
  search: undefined,
  q: undefined,
  match: undefined,
  author: undefined,
  content: undefined,
} satisfies Partial<ViewState>;

/** The texts in the search box that look like operators but are not, and whether the query was cut for its length. */
export function misunderstood(view: ViewState): { texts: string[]; isCut: boolean } {
  const parsed = parseQuery(wordsIn(view));
  return {
    texts: [...new Set(parsed.notUnderstood.map(({ text }) => text))],
    isCut: parsed.isCut && usesOperators(parsed),
  };
}
