import { CATEGORIES, type FilterName, type FilterValue, foldText } from '@archive/contracts';
import type { Value } from '../index-file.ts';
import { categoryToken, type PostColumn, type PostIndex } from '../post-table.ts';
import { DAY_MS } from '../schema.ts';
import { languageTrait, mediaTrait, platformTrait, type Trait, traitToken } from '../traits.ts';

export interface Condition {
  sql: string;
  values: Value[];
}

/** Where the time of a row stands: as milliseconds, or within its rank. */
type TimeColumn = 'post.at' | 'post.rank' | 'search.rowid';

/** What one filter asks, in the terms of the index. */
export interface Clause {
  /** As a test of one row of `post`. */
  test(time: TimeColumn): Condition;
  /** The same as a full-text expression, where the full text can tell. */
  match?: string;
  /** A text too short for a trigram: those that begin with it may stand for it, in these columns of the full text. */
  short?: { needle: string; columns: string };
  /** Bounds the time and nothing else: a walk by time begins or ends there. */
  isTime?: true;
  /** The first moment that passes, or the first that does not any more; milliseconds since 1970, a whole day. */
  since?: number;
  until?: number;
  /** The index of `post` in which exactly these posts stand by time. Without one the full text is asked, if it can tell. */
  index?: PostIndex;
  /** There are so few in that index that walking it beats asking the full text. */
  isFew?: true;
  /** Tests what every index by a key to sort by holds, so that no row has to be read. */
  isCovered?: true;
  counted?: Counted;
}

/** Posts counted as they come and go, and which of these counts are meant. */
export interface Counted {
  table: 'category' | 'kind' | 'day' | 'piece';
  where: Condition;
}

/** What a filter may look up. */
export interface Lookup {
  authorId(foldedHandle: string): number | undefined;
  /** The least rank of posts of this time or later; beyond all where there is none. */
  rankFrom(time: number): bigint;
}

/** Posts hold none of these (they are stripped on the way in), so text with one matches nothing. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const NEVER_STORED = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

/** Each filter once; null where no post can match it. A row is tested in this order, the cheapest first. */
export const FILTERS: { [N in FilterName]: (value: FilterValue<N>, lookup: Lookup) => Clause | null } = {
  category(name) {
    const category = CATEGORIES.indexOf(name);
    return {
      test: () => equals('category', category),
      match: `(category : ${quote(categoryToken(category))})`,
      index: 'post_category_time',
      isCovered: true,
      counted: { table: 'category', where: condition('category = ?', category) },
    };
  },
  media: (media) => trait(mediaTrait(media)),
  platform: (platform) => trait(platformTrait(platform)),
  language: (tag) => trait(languageTrait(tag)),
  handle(handle, lookup) {
    const author = lookup.authorId(foldText(handle));
    if (author === undefined) return null;
    return { test: () => equals('author', author), index: 'post_handle', isFew: true };
  },
  startDate: (day, lookup) => bound('>=', Date.parse(day), lookup),
  endDate: (day, lookup) => bound('<', Date.parse(day) + DAY_MS, lookup),
  // The category's column holds a control character that no text can ask for, so the whole row may be searched.
  search(text) {
    const clause = substring(text, '', 'content', 'names');
    return clause?.short
      ? { ...clause, counted: { table: 'piece', where: condition('text = ?', clause.short.needle) } }
      : clause;
  },
  author(text) {
    const clause = substring(text, '{author handle} : ', 'names');
    // Names repeat so much that nearly every pair in them is common, and the vocabulary does not tell columns apart.
    delete clause?.short;
    return clause;
  },
  content: (text) => substring(text, 'content : ', 'content'),
};

function trait(asked: Trait | null): Clause | null {
  if (asked === null) return null;
  const { mask, values } = asked;
  const isOne = (column: string) => condition(`(${column} & ?) IN (${values.map(() => '?').join()})`, mask, ...values);
  return {
    test: () => isOne('post.traits'),
    match: `(${values.map((value) => quote(traitToken(value))).join(' OR ')})`,
    isCovered: true,
    counted: { table: 'kind', where: isOne('traits') },
  };
}

function substring(text: string, columns: string, ...fields: PostColumn[]): Clause | null {
  const needle = foldText(text);
  if (NEVER_STORED.test(needle) || !needle.isWellFormed()) return null;
  const tests = fields.map((field) => `instr(post.${field}, ?) > 0`).join(' OR ');
  const test = condition(fields.length > 1 ? `(${tests})` : tests, ...fields.map(() => needle));
  const isLong = Array.from(needle.slice(0, 6)).length >= 3;
  return { test: () => test, ...(isLong ? { match: `(${columns}${quote(needle)})` } : { short: { needle, columns } }) };
}

function bound(operator: '>=' | '<', time: number, lookup: Lookup): Clause {
  const rank = lookup.rankFrom(time);
  return {
    test: (column) => condition(`${column} ${operator} ?`, column === 'post.at' ? time : rank),
    isTime: true,
    ...(operator === '>=' ? { since: time } : { until: time }),
    isCovered: true,
    counted: { table: 'day', where: condition(`day ${operator} ?`, time / DAY_MS) },
  };
}

function equals(column: PostColumn, value: Value): Condition {
  return condition(`post.${column} = ?`, value);
}

function condition(sql: string, ...values: Value[]): Condition {
  return { sql, values };
}

export function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
