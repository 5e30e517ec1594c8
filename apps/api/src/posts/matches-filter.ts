import {
  type ArchiveFilter,
  type Asked,
  FILTER_NAMES,
  type FilterName,
  type FilterValue,
  foldText,
  type HasValue,
  HOURS,
  handlePart,
  MOST_WORDS,
  type Post,
  parseQuery,
  primaryLanguage,
  showsLink,
  showsMedia,
  wordsOf,
} from '@archive/contracts';

type Test<V> = (post: Post, value: V, filter: ArchiveFilter, now: number) => boolean;

/** The test of each filter for one post. */
const TESTS: { [N in FilterName]: Test<FilterValue<N>> } = {
  search(post, text, { match = 'exact' }) {
    if (match === 'exact') return holdsText(post, text);
    const words = wordsOf(text).slice(0, match === 'most' ? MOST_WORDS : undefined);
    const held = words.filter((word) => holdsText(post, word)).length;
    const least = { words: words.length, most: words.length - 1, any: 1 }[match];
    return held >= Math.min(words.length, Math.max(1, least));
  },
  author(post, text) {
    const part = handlePart(foldText(text));
    return part === undefined ? holds(text, post.author, post.authorUsername) : holds(part, post.authorUsername);
  },
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
  featured: (post) => post.featured,
  launched: (post) => post.launched,
  q: (post, words, _, now) =>
    parseQuery(words).groups.every(({ terms }) =>
      terms.some(({ asked, isNegated }) => isAsked(post, asked, now) !== isNegated),
    ),
  match: () => true,
  language: (post, tag) => post.language !== null && primaryLanguage(post.language) === primaryLanguage(tag),
};

/**
 * Whether a post matches a filter, decided without the index; the index must give the same result. `now` is in
 * milliseconds since 1970.
 */
export function matchesFilter(post: Post, filter: ArchiveFilter, now: number): boolean {
  return FILTER_NAMES.every((name) => matchesOne(name, post, filter, now));
}

function matchesOne<N extends FilterName>(name: N, post: Post, filter: ArchiveFilter, now: number): boolean {
  const value = filter[name];
  return !value || TESTS[name](post, value, filter, now);
}

function isAsked(post: Post, asked: Asked, now: number): boolean {
  switch (asked.by) {
    case 'text':
      return holdsText(post, asked.text);
    case 'from':
      return foldText(post.authorUsername) === foldText(asked.handle);
    case 'since':
      return post.timestamp.slice(0, 10) >= asked.day;
    case 'until':
      return post.timestamp.slice(0, 10) <= asked.day;
    case 'category':
      return post.category === asked.category;
    case 'lang':
      return post.language !== null && primaryLanguage(post.language) === primaryLanguage(asked.tag);
    case 'platform':
      return post.platform === asked.platform;
    case 'has':
      return hasIt(post, asked.what);
    case 'is':
      return asked.what === 'deleted' ? post.source.state === 'deleted' : post[asked.what];
    case 'reactions': {
      const count = Object.values(post.reactions).reduce((sum, one) => sum + one, 0);
      return asked.than === '>' ? count > asked.count : count < asked.count;
    }
    case 'saved': {
      const since = now - asked.amount * HOURS[asked.unit] * 3_600_000;
      const at = Date.parse(post.savedAt);
      return asked.than === '<' ? at > since : at < since;
    }
  }
}

function hasIt(post: Post, what: HasValue): boolean {
  if (what === 'link') return showsLink(post);
  if (what === 'quote') return post.quoted !== null;
  if (what === 'thread') return post.thread !== null;
  const types = post.media.map(({ type }) => type);
  return showsMedia(types, what === 'media' ? 'any' : what);
}

function holdsText(post: Post, text: string): boolean {
  const part = handlePart(foldText(text));
  if (part !== undefined) return holds(part, post.authorUsername) || holds(text, post.content);
  return holds(text, post.content, post.author, post.authorUsername);
}

function holds(needle: string, ...texts: string[]): boolean {
  return texts.some((text) => foldText(text).includes(foldText(needle)));
}
