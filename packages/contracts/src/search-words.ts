import { type ArchiveFilter, cutFilterText, type MediaFilter } from './archive-query.ts';
import type { Category } from './categories.ts';
import type { Platform } from './platforms.ts';
import { type Asked, type IsValue, isOperatorName, type ParsedQuery, parseQuery, type Term } from './search-query.ts';

/** A question without the places of its words. */
export type Terms = Pick<Term, 'asked' | 'isNegated'>[];
export type Question = readonly { terms: Terms }[];

/** The order in which words are written, whoever writes them. */
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

/** The words of a question, each once and in one order: equal questions have equal words. Texts keep theirs. */
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

/** Quotation marks of both kinds are looked for alike. */
function quoted(text: string): string {
  return text.includes('"') ? `“${text.replaceAll(/[“”]/g, '"')}”` : `"${text}"`;
}

/** Whether anything but plain words is asked. */
export function usesOperators({ groups }: ParsedQuery): boolean {
  return groups.some(
    ({ terms }) =>
      terms.length > 1 || terms.some(({ asked, isNegated }) => isNegated || asked.by !== 'text' || asked.isQuoted),
  );
}

/** What the words of the box mean in an address: `search` for plain words, else `q`. */
export function filterOfWords(words: string): Pick<ArchiveFilter, 'search' | 'q'> {
  const parsed = parseQuery(words);
  if (parsed.groups.length === 0) return { search: undefined, q: undefined };
  if (!usesOperators(parsed)) return { search: cutFilterText(words.trim()), q: undefined };
  return { search: undefined, q: tidyWords(words) };
}

/** A question in its words' order; one of which not all was understood as it was written, to tell that. */
export function tidyWords(words: string): string {
  const { groups, notUnderstood } = parseQuery(words);
  return notUnderstood.length > 0 ? words.trim() : printQuery(groups);
}

/** Whether the last word is an operator that has no value yet which it understands: somebody is still typing. */
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

/** The filters of an address that words can say, as the same question; the others are left. */
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

/** What the fields of the filter panel say. */
export interface PanelFields {
  /** A handle, whole. */
  author?: string | undefined;
  content?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  category?: Category | undefined;
  media?: MediaFilter | undefined;
  platform?: Platform | undefined;
  language?: string | undefined;
  show?: IsValue | undefined;
  /** At least so many. */
  reactions?: number | undefined;
}

/** The terms that say what fields say. */
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

/** Texts that a match holds, to be marked in it. */
export function soughtTexts(words: string): string[] {
  return parseQuery(words).groups.flatMap(({ terms }) =>
    terms.flatMap(({ asked, isNegated }) => (asked.by === 'text' && !isNegated ? [asked.text] : [])),
  );
}
