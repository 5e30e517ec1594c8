import { foldText, handlePart, type Match, soughtTexts, wordsOf } from '@archive/contracts';
import { parseView, printView, type ViewState } from '../../features/archive/view-state.ts';
import type { PostTerms } from '../../features/post/post-slots.ts';

/** What is marked in the posts of a view; `match` says how they were found. */
export function postTerms({ search, q, content, author }: ViewState, match: Match = 'exact'): PostTerms {
  const sought = search === undefined ? soughtTexts(q ?? '') : match === 'exact' ? [search] : wordsOf(search);
  return {
    content: [...sought, content].filter((term) => term !== undefined),
    // Handles are drawn without the @ that looks for them.
    author: [...sought, author].flatMap((term) => (term === undefined ? [] : (handlePart(foldText(term)) ?? term))),
  };
}

/** As much of a view's address as `postTerms` reads, with its question mark; nothing where nothing is marked. */
export function termsQuery({ search, q, content, author, match }: ViewState): string {
  const query = printView({ ...parseView(''), search, q, content, author, match });
  return query === '' ? '' : `?${query}`;
}
