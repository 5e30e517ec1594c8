import { foldText, handlePart, type Match, soughtTexts, wordsOf } from '@archive/contracts';
import { printView, type ViewState } from '../../features/archive/view-state.ts';
import type { PostTerms } from '../../features/post/post-slots.ts';

/** What is marked in the posts of a view; `match` says how they were found. */
export function postTerms(view: ViewState, match: Match = view.match ?? 'exact'): PostTerms {
  const { search, q, content, author } = view;
  const sought = search === undefined ? soughtTexts(q ?? '') : match === 'exact' ? [search] : wordsOf(search);
  return {
    content: [...sought, content].filter((term) => term !== undefined),
    // Handles are drawn without the @ that looks for them.
    author: [...sought, author].flatMap((term) => (term === undefined ? [] : (handlePart(foldText(term)) ?? term))),
  };
}

/** The address of the list that a post was opened from, with its question mark: the post's own page marks what was sought and leads back. */
export function listQuery(view: ViewState, match: Match = 'exact'): string {
  const query = printView({ ...view, ...(match !== 'exact' && { match }) });
  return query === '' ? '' : `?${query}`;
}
