import { parseQuery, usesOperators } from '@archive/contracts';
import { queryChips } from './query-chips.ts';
import { setWords, type ViewState, wordsIn } from './view-state.ts';

/** What narrows the list, in the words of its chip, and what its removal changes. */
export interface Chip {
  label: string;
  change: Partial<ViewState>;
}

/** All but plain words, which stand in the box. */
export function activeFilters(view: ViewState): Chip[] {
  const { q, author, content } = view;
  return [
    ...(author ? [{ label: `author ${author}`, change: { author: undefined } }] : []),
    ...(content ? [{ label: `text “${content}”`, change: { content: undefined } }] : []),
    ...(q ? queryChips(q).map(({ label, rest }) => ({ label, change: setWords(rest) })) : []),
  ];
}

export function isNarrowed(view: ViewState): boolean {
  return activeFilters(view).length > 0 || wordsIn(view) !== '';
}

/** Everything that narrows a list, taken away. */
export const NO_FILTERS = {
  search: undefined,
  q: undefined,
  match: undefined,
  author: undefined,
  content: undefined,
} satisfies Partial<ViewState>;

/** What the box holds that looks like an operator and is none, and whether there was too much of it. */
export function misunderstood(view: ViewState): { texts: string[]; isCut: boolean } {
  const parsed = parseQuery(wordsIn(view));
  return {
    texts: [...new Set(parsed.notUnderstood.map(({ text }) => text))],
    isCut: parsed.isCut && usesOperators(parsed),
  };
}
