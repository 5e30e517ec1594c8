import {
  type Asked,
  type Group,
  type HasValue,
  type IsValue,
  PLATFORM_NAMES,
  parseQuery,
  type Span,
  type Term,
} from '@archive/contracts';
import { formatCount, formatDay, formatLanguage } from '../../lib/format.ts';

export interface QueryChip {
  label: string;
  /** The words of the search box without this filter. */
  rest: string;
}

const HAS: Record<HasValue, string> = {
  image: 'pictures',
  video: 'video',
  media: 'media',
  link: 'a link',
  quote: 'a quote',
  thread: 'a thread',
};
const IS: Record<IsValue, string> = { featured: 'featured', launched: 'launched', deleted: 'deleted by its author' };
const UNITS = { h: 'hour', d: 'day', w: 'week' };

/** The operators of a query as chips. A start date and an end date share one chip. */
export function queryChips(words: string): QueryChip[] {
  const { groups } = parseQuery(words);
  const [since, until] = [groups.find(isAlone('since')), groups.find(isAlone('until'))];
  return groups.flatMap((group): QueryChip[] => {
    if (since && until && group === until) return [];
    if (since && until && group === since) {
      return [{ label: range(dayOf(since), dayOf(until)), rest: without(words, [since, until]) }];
    }
    return [{ label: group.terms.map(labelOf).join(' or '), rest: without(words, [group]) }];
  });
}

function isAlone(by: 'since' | 'until') {
  return ({ terms: [first, second] }: Group) => !second && first?.asked.by === by && !first.isNegated;
}

function dayOf({ terms: [first] }: Group): string {
  return first && 'day' in first.asked ? first.asked.day : '';
}

/** `1 Feb to 31 Aug 2026`. */
function range(since: string, until: string): string {
  const [first, last] = [formatDay(since), formatDay(until)];
  return `${first.slice(-4) === last.slice(-4) ? first.slice(0, -5) : first} to ${last}`;
}

function without(words: string, spans: Span[]): string {
  let rest = words;
  for (const { start, end } of spans.toSorted((one, other) => other.start - one.start)) {
    rest = `${rest.slice(0, start).trimEnd()} ${rest.slice(end).trimStart()}`;
  }
  return rest.trim();
}

function labelOf({ asked, isNegated }: Term): string {
  if (asked.by === 'has') return `${isNegated ? 'without' : 'with'} ${HAS[asked.what]}`;
  const label = inWords(asked);
  if (!isNegated) return label;
  return `${asked.by === 'text' ? 'without' : 'not'} ${label}`;
}

function inWords(asked: Exclude<Asked, { by: 'has' }>): string {
  switch (asked.by) {
    case 'text':
      return asked.isQuoted ? `“${asked.text}”` : asked.text;
    case 'from':
      return `from @${asked.handle}`;
    case 'since':
      return `from ${formatDay(asked.day)}`;
    case 'until':
      return `until ${formatDay(asked.day)}`;
    case 'category':
      return `category ${asked.category}`;
    case 'lang':
      return `in ${formatLanguage(asked.tag)}`;
    case 'platform':
      return asked.platform === 'other' ? 'from elsewhere' : `on ${PLATFORM_NAMES[asked.platform]}`;
    case 'is':
      return IS[asked.what];
    case 'reactions':
      return asked.count < 0
        ? 'any reactions'
        : `${asked.than === '>' ? 'more' : 'fewer'} than ${formatCount(asked.count)} ${asked.count === 1 ? 'reaction' : 'reactions'}`;
    case 'saved': {
      const time = `${asked.amount} ${UNITS[asked.unit]}${asked.amount === 1 ? '' : 's'}`;
      return asked.than === '<' ? `saved in the last ${time}` : `saved more than ${time} ago`;
    }
  }
}
