import { z } from 'zod';
import {
  type ArchiveFilter,
  type ArchiveQuery,
  cutFilterText,
  DEFAULT_QUERY,
  EXPORT_FORMATS,
  type FilterName,
  isDay,
  MEDIA_FILTERS,
  SORT_FIELDS,
  SORT_ORDERS,
} from '../archive-query.ts';
import { CATEGORIES } from '../categories.ts';
import { LANGUAGE_TAG, LANGUAGE_TAG_LENGTH } from '../languages.ts';
import { FILTER_TEXT_LENGTH, HANDLE_LENGTH, MAX_PAGE_SIZE } from '../limits.ts';
import { PLATFORMS } from '../platforms.ts';

/** Absent and empty mean the same; a repeated parameter arrives as a list and is refused. */
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

const wholeHandle = z
  .string({ error: once('must be text') })
  .max(HANDLE_LENGTH * 2, 'is too long')
  .optional();

const language = z
  .string({ error: once('must be a language tag, like en or pt-BR') })
  .max(LANGUAGE_TAG_LENGTH, 'is too long')
  .regex(LANGUAGE_TAG, 'must be a language tag, like en or pt-BR')
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
} satisfies Record<FilterName, z.ZodType>;

const sortShape = {
  sortBy: parameter('what the posts are sorted by', oneOf(SORT_FIELDS).default(DEFAULT_QUERY.sortBy)),
  sortOrder: parameter('from high to low or from low to high', oneOf(SORT_ORDERS).default(DEFAULT_QUERY.sortOrder)),
};

const inOrder = ({ startDate, endDate }: ArchiveFilter) => !startDate || !endDate || startDate <= endDate;
const outOfOrder = { path: ['startDate'], message: 'must not be after endDate' };

/** Query of `GET archives`. */
export const archiveQuerySchema = z
  .object({
    ...filterShape,
    ...sortShape,
    page: count('which page, from 1', 100_000_000, DEFAULT_QUERY.page),
    limit: count('how many posts a page holds', MAX_PAGE_SIZE, DEFAULT_QUERY.limit),
    split: parameter('leaves the featured post out of data on every page', oneOf(['featured']).optional()),
  })
  .refine(inOrder, outOfOrder) satisfies z.ZodType<ArchiveQuery>;

/** Query of `GET archives/export`. */
export const exportQuerySchema = z
  .object({
    ...filterShape,
    ...sortShape,
    format: parameter('what the answer is written in', oneOf(EXPORT_FORMATS).default('csv')),
  })
  .refine(inOrder, outOfOrder);
