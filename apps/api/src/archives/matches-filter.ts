import { type Archive, type ArchiveFilter, foldText } from '@archive/contracts';

/** Whether one post passes a filter, told without an index: the meaning the index has to agree with. */
export function matchesFilter(post: Archive, filter: ArchiveFilter): boolean {
  const holds = (needle: string | undefined, ...texts: string[]) =>
    !needle || texts.some((text) => foldText(text).includes(foldText(needle)));
  const day = post.timestamp.slice(0, 10);
  return (
    holds(filter.search, post.content, post.author, post.authorUsername) &&
    holds(filter.author, post.author, post.authorUsername) &&
    holds(filter.content, post.content) &&
    (!filter.handle || foldText(post.authorUsername) === foldText(filter.handle)) &&
    (!filter.category || post.category === filter.category) &&
    (!filter.startDate || day >= filter.startDate) &&
    (!filter.endDate || day <= filter.endDate)
  );
}
