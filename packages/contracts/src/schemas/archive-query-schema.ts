import { z } from 'zod';
import {
  type ArchiveFilter,
  type ArchiveQuery,
  cutCodePoints,
  cutFilterText,
  DEFAULT_QUERY,
  EXPORT_FORMATS,
  type FilterName,
  isDay,
  MATCHES,
  MEDIA_FILTERS,
  MOST_WORDS,
  SORT_FIELDS,
  SORT_ORDERS,
} from '../archive-query.ts';
import { CATEGORIES } from '../categories.ts';
import { LANGUAGE_TAG, LANGUAGE_TAG_LENGTH } from '../languages.ts';
import { FILTER_TEXT_LENGTH, HANDLE_LENGTH, MAX_PAGE_SIZE, QUERY_LENGTH, QUERY_TERMS } from '../limits.ts';
import { PLATFORMS } from '../platforms.ts';
import { HAS_VALUES, IS_VALUES } from '../search-query.ts';

/** A query parameter. Empty means absent. A repeated parameter arrives as a list and is refused. */
export function parameter<T extends z.ZodType>(description: string, schema: T) {
  return z.preprocess((value) => (value === '' ? undefined : value), schema).meta({ description });
}

export function oneOf<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values, { error: once(`must be one of ${values.join(', ')}`) });
}

function once(message: string) {
  return (issue: { input?: unknown }) => (Array.isArray(issue.input) ? 'must be given once' : message);
}

export function count(description: string, max: number, absent: number) {
  const message = `must be a whole number from 1 to ${max}`;
  const number = z.int({ error: once(message) }).max(max, message);
  const digits = z.preprocess((value) => (isCount(value) ? Number(value) : value), number.min(1).default(absent));
  return parameter(description, digits);
}

function isCount(value: unknown): boolean {
  return typeof value === 'string' && /^[1-9][0-9]{0,8}$/.test(value);
}

const text = z
  .string({ error: once('must be text') })
  .transform(cutFilterText)
  .optional();

const day = z
  .string({ error: once('must be a date, YYYY-MM-DD') })
  .refine(isDay, 'must be a date, YYYY-MM-DD')
  .meta({ format: 'date' })
  .optional();

/** Cards and visitors write handles with `@`. */
export const withoutAt = (handle: string) => handle.replace(/^@/, '');

const wholeHandle = z
  .string({ error: once('must be text') })
  .max(HANDLE_LENGTH * 2, 'is too long')
  .overwrite(withoutAt)
  .optional();

const language = z
  .string({ error: once('must be a language tag, like en or pt-BR') })
  .max(LANGUAGE_TAG_LENGTH, 'is too long')
  .regex(LANGUAGE_TAG, 'must be a language tag, like en or pt-BR')
  .optional();

const question = z
  .string({ error: once('must be text') })
  .transform((words) => cutCodePoints(words, QUERY_LENGTH))
  .optional();

const cut = `the first ${FILTER_TEXT_LENGTH} characters count`;

const filterShape = {
  search: parameter(`only posts that hold this in text, name or handle; ${cut}`, text),
  author: parameter(`only posts that hold this in name or handle; ${cut}`, text),
  content: parameter(`only posts that hold this in their text; ${cut}`, text),
  handle: parameter('only posts of the author with exactly this handle, in any case', wholeHandle),
  category: parameter('only posts of this category', oneOf(CATEGORIES).optional()),
  startDate: parameter('only posts of this day, in UTC, or later; not after endDate', day),
  endDate: parameter('only posts of this day, in UTC, or earlier', day),
  media: parameter(
    'only posts with any media, with pictures, with a video, or with none',
    oneOf(MEDIA_FILTERS).optional(),
  ),
  platform: parameter('only posts written on this platform', oneOf(PLATFORMS).optional()),
  language: parameter('only posts in this language, a BCP 47 tag: pt finds pt-BR too', language),
  featured: parameter('only featured posts', oneOf(['true']).optional()),
  launched: parameter('only posts of which a token was launched', oneOf(['true']).optional()),
  q: parameter(
    `a question in the search language: words that must all be held, "exact words", -word, a OR b, from:handle, since:YYYY-MM-DD, until:YYYY-MM-DD, category:, lang:, platform:, has:${HAS_VALUES.join('|')}, is:${IS_VALUES.join('|')}, reactions:>10, saved:<7d; what is none of these is text; the first ${QUERY_LENGTH} characters and ${QUERY_TERMS} terms count`,
    question,
  ),
  match: parameter(
    `search as one text, as all its words in any order, as most (all but one of the first ${MOST_WORDS}), or as any of its words`,
    oneOf(MATCHES).optional(),
  ),
} satisfies Record<FilterName, z.ZodType>;

const sortShape = {
  sortBy: parameter('what the posts are sorted by', oneOf(SORT_FIELDS).default(DEFAULT_QUERY.sortBy)),
  sortOrder: parameter('from high to low or from low to high', oneOf(SORT_ORDERS).default(DEFAULT_QUERY.sortOrder)),
};

/** Check of a filter's dates, for `refine`. */
export const inOrder = ({ startDate, endDate }: ArchiveFilter) => !startDate || !endDate || startDate <= endDate;
export const outOfOrder = { path: ['startDate'], message: 'must not be after endDate' };

/** Query of `GET archives`. */
export const archiveQuerySchema = z
  .object({
    ...filterShape,
    ...sortShape,
    page: count('which page, from 1', 100_000_000, DEFAULT_QUERY.page),
    limit: count('how many posts a page holds', MAX_PAGE_SIZE, DEFAULT_QUERY.limit),
    cursor: parameter(
      '`next` of an earlier page of the same order: this one goes on after it, whatever has come or gone; wins over `page`',
      z
        .string({ error: once('must be the next of an earlier page') })
        .regex(/^[\w-]{1,200}$/, 'must be the next of an earlier page')
        .optional(),
    ),
    split: parameter('leaves the featured post out of data on every page', oneOf(['featured']).optional()),
  })
  .refine(inOrder, outOfOrder) satisfies z.ZodType<ArchiveQuery>;

/** Query of a feed: it selects posts, but not their order or number. */
export const feedQuerySchema = z
  .object({
    ...filterShape,
    collection: parameter(
      'instead of filters: the posts of an open collection, those put in last first',
      z
        .string({ error: once('must be the `_id` of a collection') })
        .regex(/^[0-9a-f]{24}$/, 'must be the `_id` of a collection')
        .optional(),
    ),
  })
  .refine(inOrder, outOfOrder)
  .refine(
    ({ collection, ...filter }) =>
      collection === undefined || Object.values(filter).every((value) => value === undefined),
    { path: ['collection'], error: 'takes no filter beside it' },
  );

/** Query of a timeline: it selects posts, but not their order or number. */
export const timelineQuerySchema = z.object(filterShape).refine(inOrder, outOfOrder);

export const exportFormatSchema = parameter('what the answer is written in', oneOf(EXPORT_FORMATS).default('csv'));

/** Query of `GET archives/export`. */
export const exportQuerySchema = z
  .object({
    ...filterShape,
    ...sortShape,
    format: exportFormatSchema,
    since: parameter(
      'instead of filters and order: what has changed since `begin`, or since the cursor that an earlier answer ends with; NDJSON alone',
      z
        .string({ error: once('must be begin, or the cursor of an earlier answer') })
        .max(200, 'is too long')
        .optional(),
    ),
  })
  .refine(inOrder, outOfOrder)
  .refine(({ since, format }) => since === undefined || format === 'ndjson', {
    path: ['format'],
    message: 'must be ndjson where changes are asked for',
  });

const typed = z
  .string({ error: once('must be text') })
  .max(HANDLE_LENGTH, 'is too long')
  .optional();

/** Query of `GET suggest`. */
export const suggestQuerySchema = z.object({
  from: parameter('the beginning of a handle', typed),
  word: parameter('the beginning of a word, of three letters at least', typed),
});
