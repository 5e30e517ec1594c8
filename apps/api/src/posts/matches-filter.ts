import {
  type ArchiveFilter,
  FILTER_NAMES,
  type FilterName,
  type FilterValue,
  foldText,
  type Post,
  primaryLanguage,
  showsMedia,
} from '@archive/contracts';

/** What each filter asks of one post. */
const TESTS: { [N in FilterName]: (post: Post, value: FilterValue<N>) => boolean } = {
  search: (post, text) => holds(text, post.content, post.author, post.authorUsername),
  author: (post, text) => holds(text, post.author, post.authorUsername),
  content: (post, text) => holds(text, post.content),
  handle: (post, handle) => foldText(post.authorUsername) === foldText(handle),
  category: (post, category) => post.category === category,
  startDate: (post, day) => post.timestamp.slice(0, 10) >= day,
  endDate: (post, day) => post.timestamp.slice(0, 10) <= day,
  media: (post, media) =>
    showsMedia(
      post.media.map(({ type }) => type),
      media,
    ),
  platform: (post, platform) => post.platform === platform,
  language: (post, tag) => post.language !== null && primaryLanguage(post.language) === primaryLanguage(tag),
};

/** Whether one post passes a filter, told without an index: the meaning the index has to agree with. */
export function matchesFilter(post: Post, filter: ArchiveFilter): boolean {
  return FILTER_NAMES.every((name) => matchesOne(name, post, filter));
}

function matchesOne<N extends FilterName>(name: N, post: Post, filter: ArchiveFilter): boolean {
  const value = filter[name];
  return !value || TESTS[name](post, value);
}

function holds(needle: string, ...texts: string[]): boolean {
  return texts.some((text) => foldText(text).includes(foldText(needle)));
}
