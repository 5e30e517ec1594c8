import {
  type ArchiveFilter,
  type Asked,
  type Category,
  type FilterName,
  type FilterValue,
  foldText,
  HOURS,
  handlePart,
  type Match,
  type MediaFilter,
  MOST_WORDS,
  type Platform,
  parseQuery,
  type Term,
  wordsOf,
} from '@archive/contracts';
import { DAY_MS } from './figures.ts';
import type { Flag } from './indexed-post.ts';

/** A condition on posts, independent of the engine. Texts and handles are folded; times are milliseconds since 1970. */
export type Question = { any: Question[] } | { not: Question } | Part;

export type Part =
  | { by: 'text'; text: string; in: Place }
  | { by: 'author'; handle: string }
  /** Written at or after this time, or before it. The time is the start of a day. */
  | { by: 'since' | 'before'; time: number }
  | { by: 'category'; category: Category }
  | { by: 'media'; media: MediaFilter }
  | { by: 'platform'; platform: Platform }
  | { by: 'language'; tag: string }
  | { by: 'flag'; flag: Flag }
  /** In a thread of which the index holds another post too. */
  | { by: 'thread' }
  | { by: 'reactions' | 'saved'; than: '<' | '>'; value: number };

/** Where a text is looked for; `anywhere` is content, name and handle. */
export type Place = 'anywhere' | 'content' | 'names' | 'handle';

const HOUR_MS = 3_600_000;

/** The conditions of each filter. The order is from cheap to expensive, and an engine may test them in it. */
const PARTS: { [N in FilterName]: (value: FilterValue<N>, filter: ArchiveFilter, now: number) => Question[] } = {
  category: (category) => [{ by: 'category', category }],
  media: (media) => [{ by: 'media', media }],
  platform: (platform) => [{ by: 'platform', platform }],
  language: (tag) => [{ by: 'language', tag }],
  featured: () => [{ by: 'flag', flag: 'featured' }],
  launched: () => [{ by: 'flag', flag: 'launched' }],
  handle: (handle) => [{ by: 'author', handle: foldText(handle) }],
  startDate: (day) => [{ by: 'since', time: Date.parse(day) }],
  endDate: (day) => [{ by: 'before', time: Date.parse(day) + DAY_MS }],
  search: (text, { match }) => meant(text, match),
  author(text) {
    const part = handlePart(foldText(text));
    return [part === undefined ? holds(text, 'names') : holds(part, 'handle')];
  },
  content: (text) => [holds(text, 'content')],
  q: (words, _, now) => parseQuery(words).groups.map(({ terms }) => oneOf(terms.map((term) => termOf(term, now)))),
  // A modifier of `search`, not a condition.
  match: () => [],
};

/**
 * The conditions of a filter; all of them must hold. `now` is in milliseconds since 1970 and is rounded down to
 * seconds.
 */
export function questionOf(filter: ArchiveFilter, now: number): Question[] {
  const part = <N extends FilterName>(name: N) => {
    const value = filter[name];
    return value ? PARTS[name](value, filter, Math.floor(now / 1_000) * 1_000) : [];
  };
  return (Object.keys(PARTS) as FilterName[]).flatMap(part);
}

/** The conditions of a search text: as a whole, or word by word. */
function meant(text: string, match: Match = 'exact'): Question[] {
  const words = match === 'exact' ? [] : wordsOf(text);
  if (words.length < 2) return [holdsText(words[0] ?? text)];
  const each = words.map(holdsText);
  if (match === 'words') return each;
  return match === 'most' ? pairsOf(each.slice(0, MOST_WORDS)).map(oneOf) : [oneOf(each)];
}

/** All pairs. If every pair has at least one word that matches, at most one word is missing. */
function pairsOf<T>(all: readonly T[]): T[][] {
  return all.flatMap((one, at) => all.slice(at + 1).map((other) => [one, other]));
}

/** A text anywhere. `@x` matches content that holds `@x` and handles that hold `x`. */
function holdsText(text: string): Question {
  const part = handlePart(foldText(text));
  return part === undefined ? holds(text, 'anywhere') : oneOf([holds(part, 'handle'), holds(text, 'content')]);
}

function holds(text: string, place: Place): Question {
  return { by: 'text', text: foldText(text), in: place };
}

function oneOf(any: Question[]): Question {
  const [only, ...others] = any;
  return only && others.length === 0 ? only : { any };
}

function termOf({ asked, isNegated }: Term, now: number): Question {
  const question = askedOf(asked, now);
  if (!isNegated) return question;
  // A negated bound is the opposite bound.
  if ('by' in question && (question.by === 'since' || question.by === 'before')) {
    return { by: question.by === 'since' ? 'before' : 'since', time: question.time };
  }
  return { not: question };
}

function askedOf(asked: Asked, now: number): Question {
  switch (asked.by) {
    case 'text':
      return holdsText(asked.text);
    case 'from':
      return { by: 'author', handle: foldText(asked.handle) };
    case 'since':
      return { by: 'since', time: Date.parse(asked.day) };
    case 'until':
      return { by: 'before', time: Date.parse(asked.day) + DAY_MS };
    case 'category':
      return asked;
    case 'lang':
      return { by: 'language', tag: asked.tag };
    case 'platform':
      return asked;
    case 'is':
      return { by: 'flag', flag: asked.what };
    case 'has':
      if (asked.what === 'thread') return { by: 'thread' };
      if (asked.what === 'link' || asked.what === 'quote') return { by: 'flag', flag: asked.what };
      return { by: 'media', media: asked.what === 'media' ? 'any' : asked.what };
    case 'reactions':
      return { by: 'reactions', than: asked.than, value: asked.count };
    case 'saved': {
      // `<7d` means saved later than seven days ago.
      const since = now - asked.amount * HOURS[asked.unit] * HOUR_MS;
      return { by: 'saved', than: asked.than === '<' ? '>' : '<', value: since };
    }
  }
}
