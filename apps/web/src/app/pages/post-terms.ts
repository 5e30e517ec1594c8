import { foldText, handlePart, type Match, soughtTexts, wordsOf } from '@archive/contracts';
import { printView, type ViewState } from '../../features/archive/view-state.ts';
import type { PostTerms } from '../../features/post/post-slots.ts';

/** The terms to highlight in the posts of a view; `match` is the match that found them. */
export function postTerms(view: ViewState, match: Match = view.match ?? 'exact'): PostTerms {
  const { search, q, content, author } = view;
  const sought = search === undefined ? soughtTexts(q ?? '') : match === 'exact' ? [search] : wordsOf(search);
  return {
    content: [...sought, content].filter((term) => term !== undefined),
    // Handles are shown without the `@` of the search.
    author: [...sought, author].flatMap((term) => (term === undefined ? [] : (handlePart(foldText(term)) ?? term))),
  };
}

/**
 * The query string of the list that a post was opened from, including the question mark. The post's page uses it to
 * highlight the search terms and to link back.
 */
export function listQuery(view: ViewState, match: Match = 'exact'): string {
  const query = printView({ ...view, ...(match !== 'exact' && { match }) });
  return query === '' ? '' : `?${query}`;
}
