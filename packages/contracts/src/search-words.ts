import { type ArchiveFilter, cutFilterText, type MediaFilter } from './archive-query.ts';
import type { Category } from './categories.ts';
import type { Platform } from './platforms.ts';
import { type Asked, type IsValue, isOperatorName, type ParsedQuery, parseQuery, type Term } from './search-query.ts';

/** A question without the positions of its words. */
export type Terms = Pick<Term, 'asked' | 'isNegated'>[];
export type Question = readonly { terms: Terms }[];

/** The order in which every part of the product writes the words of a question. */
const ORDER: (Asked['by'] | '-text')[] = [
  'from',
  'text',
  '-text',
  'category',
  'lang',
  'platform',
  'has',
  'is',
  'reactions',
  'saved',
  'since',
  'until',
];

function placeOf({ terms }: { terms: Terms }): number {
  const [first, second] = terms;
  if (!first || second) return ORDER.indexOf('text');
  return ORDER.indexOf(first.asked.by === 'text' && first.isNegated ? '-text' : first.asked.by);
}

/**
 * Prints a question with each group once and in a fixed order, so that equal questions have equal words. Texts keep
 * their order.
 */
export function printQuery(groups: Question): string {
  const printed = groups.map((group) => ({ place: placeOf(group), words: printGroup(group) }));
  const compare = (one: string, other: string) => Number(one > other) - Number(one < other);
  printed.sort((one, other) => one.place - other.place || (isText(one.place) ? 0 : compare(one.words, other.words)));
  return [...new Set(printed.map(({ words }) => words))].join(' ');
}

function isText(place: number): boolean {
  return ORDER[place] === 'text' || ORDER[place] === '-text';
}

export function printGroup({ terms }: { terms: Terms }): string {
  return terms.map(({ asked, isNegated }) => `${isNegated ? '-' : ''}${printAsked(asked)}`).join(' OR ');
}

function printAsked(asked: Asked): string {
  switch (asked.by) {
    case 'text':
      return asked.isQuoted || asked.text === 'OR' ? quoted(asked.text) : asked.text;
    case 'from': {
      const handle = asked.handle.startsWith('@') ? `@${asked.handle}` : asked.handle;
      return `from:${/\s/.test(handle) ? `"${handle}"` : handle}`;
    }
    case 'since':
    case 'until':
      return `${asked.by}:${asked.day}`;
    case 'category':
      return `category:${asked.category}`;
    case 'lang':
      return `lang:${asked.tag}`;
    case 'platform':
      return `platform:${asked.platform}`;
    case 'has':
    case 'is':
      return `${asked.by}:${asked.what}`;
    case 'reactions':
      return asked.count < 0 ? 'reactions:>=0' : `reactions:${asked.than}${asked.count}`;
    case 'saved':
      return `saved:${asked.than}${asked.amount}${asked.unit}`;
  }
}

/** The search treats both kinds of quotation marks alike. */
function quoted(text: string): string {
  return text.includes('"') ? `“${text.replaceAll(/[“”]/g, '"')}”` : `"${text}"`;
}

/** Whether the question has more than plain words. */
export function usesOperators({ groups }: ParsedQuery): boolean {
  return groups.some(
    ({ terms }) =>
      terms.length > 1 || terms.some(({ asked, isNegated }) => isNegated || asked.by !== 'text' || asked.isQuoted),
  );
}

/** The words of the search box as filters: `search` for plain words, else `q`. */
export function filterOfWords(words: string): Pick<ArchiveFilter, 'search' | 'q'> {
  const parsed = parseQuery(words);
  if (parsed.groups.length === 0) return { search: undefined, q: undefined };
  if (!usesOperators(parsed)) return { search: cutFilterText(words.trim()), q: undefined };
  return { search: undefined, q: tidyWords(words) };
}

/**
 * Prints a question in the fixed order. A question that was not fully understood stays as written, so that the page can
 * say so.
 */
export function tidyWords(words: string): string {
  const { groups, notUnderstood } = parseQuery(words);
  return notUnderstood.length > 0 ? words.trim() : printQuery(groups);
}

/** Whether the last word is an operator without a valid value, so that the visitor is probably still typing. */
export function isUnfinished(words: string): boolean {
  const { text } = parseQuery(words).notUnderstood.find(({ end }) => end === words.length) ?? {};
  return text !== undefined && isOperatorName(text.slice(0, text.indexOf(':')));
}

const SHOWN: Record<Exclude<MediaFilter, 'none'>, 'image' | 'video' | 'media'> = {
  any: 'media',
  image: 'image',
  video: 'video',
};

function one(asked: Asked, isNegated = false): { terms: Terms } {
  return { terms: [{ asked, isNegated }] };
}

/** The filters that words can express, as an equal question; other filters are ignored. */
export function wordsOfFilter(filter: ArchiveFilter): string {
  const { search, q, handle, category, startDate, endDate, media, platform, language, featured, launched } = filter;
  const told = writeFields({
    author: handle,
    category,
    media,
    platform,
    language,
    since: startDate,
    until: endDate,
    show: featured && 'featured',
  });
  if (launched) told.push(one({ by: 'is', what: 'launched' }));
  if (told.length === 0 && !(search && q)) return q ?? search ?? '';
  if (search) told.push(one({ by: 'text', text: search, isQuoted: !isPlainWord(search) }));
  return printQuery([...told, ...(q ? parseQuery(q).groups : [])]);
}

function isPlainWord(text: string): boolean {
  const { groups } = parseQuery(text);
  const [first] = groups[0]?.terms ?? [];
  return groups.length === 1 && first?.asked.by === 'text' && !first.isNegated && first.asked.text === text;
}

/** The values of the filter panel's fields. */
export interface PanelFields {
  /** A complete handle. */
  author?: string | undefined;
  content?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  category?: Category | undefined;
  media?: MediaFilter | undefined;
  platform?: Platform | undefined;
  language?: string | undefined;
  show?: IsValue | undefined;
  /** Minimum number of reactions. */
  reactions?: number | undefined;
}

/** The terms that express the fields. */
export function writeFields(fields: Omit<PanelFields, 'content'>): { terms: Terms }[] {
  const { author, since, until, category, media, platform, language, show, reactions } = fields;
  return [
    ...(author ? [one({ by: 'from', handle: author })] : []),
    ...(category ? [one({ by: 'category', category })] : []),
    ...(language ? [one({ by: 'lang', tag: language })] : []),
    ...(platform ? [one({ by: 'platform', platform })] : []),
    ...(media
      ? [media === 'none' ? one({ by: 'has', what: 'media' }, true) : one({ by: 'has', what: SHOWN[media] })]
      : []),
    ...(show ? [one({ by: 'is', what: show })] : []),
    ...(reactions ? [one({ by: 'reactions', than: '>', count: reactions - 1 })] : []),
    ...(since ? [one({ by: 'since', day: since })] : []),
    ...(until ? [one({ by: 'until', day: until })] : []),
  ];
}

/** The texts that a match contains, for highlighting. */
export function soughtTexts(words: string): string[] {
  return parseQuery(words).groups.flatMap(({ terms }) =>
    terms.flatMap(({ asked, isNegated }) => (asked.by === 'text' && !isNegated ? [asked.text] : [])),
  );
}
