import { type ArchiveFilter, cutCodePoints, printFilters } from './archive-query.ts';
import type { Post } from './entities.ts';
import { HEAD_TITLE_LENGTH } from './limits.ts';
import { PRODUCT_NAME, PRODUCT_SLUG } from './product.ts';

/**
 * Title of a list's page. It names the search text first, else the author or category, else that the list is filtered.
 */
export function viewTitle(filter: ArchiveFilter): string {
  const { q, search, content, author, handle, category } = filter;
  const words = q ?? search ?? content ?? author ?? (handle === undefined ? category : `@${handle}`);
  if (words !== undefined) return `${words} in ${PRODUCT_NAME}`;
  return printFilters(filter) === ''
    ? `${PRODUCT_NAME}: posts, kept in ${PRODUCT_SLUG}`
    : `Some posts in ${PRODUCT_NAME}`;
}

/** Title of a post's page: the author and the beginning of the text, on one line. */
export function postTitle({ author, content }: Pick<Post, 'author' | 'content'>): string {
  const words = onOneLine(content);
  const beginning = cutCodePoints(words, HEAD_TITLE_LENGTH);
  return `${onOneLine(author)}: “${beginning === words ? words : `${beginning.trimEnd()}…`}”`;
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
