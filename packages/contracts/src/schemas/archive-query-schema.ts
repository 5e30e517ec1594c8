import { z } from 'zod';
import { type ArchiveQuery, cutFilterText, EXPORT_FORMATS, SORT_FIELDS, SORT_ORDERS } from '../archive-query.ts';
import { CATEGORIES } from '../categories.ts';
import { HANDLE_LENGTH, MAX_PAGE_SIZE, PAGE_SIZE } from '../limits.ts';

/** Absent and empty mean the same; a repeated parameter arrives as a list and is refused. */
function parameter<T extends z.ZodType>(schema: T) {
  return z.preprocess((value) => (value === '' ? undefined : value), schema);
}

function oneOf<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values, { error: once(`must be one of ${values.join(', ')}`) });
}

function once(message: string) {
  return (issue: { input?: unknown }) => (Array.isArray(issue.input) ? 'must be given once' : message);
}

const integer = (max: number) =>
  z
    .string({ error: once('must be a whole number') })
    .regex(/^[1-9][0-9]{0,8}$/, `must be a whole number from 1 to ${max}`)
    .transform(Number)
    .refine((value) => value <= max, `must be a whole number from 1 to ${max}`);

const text = z.string({ error: once('must be text') }).transform(cutFilterText);

const day = z.string({ error: once('must be a date, YYYY-MM-DD') }).refine(isDay, 'must be a date, YYYY-MM-DD');

/** Whether `value` is `YYYY-MM-DD` and names a day that exists. */
export function isDay(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const time = Date.parse(`${value}T00:00:00.000Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === value;
}

const filterShape = {
  search: parameter(text.optional()),
  author: parameter(text.optional()),
  content: parameter(text.optional()),
  handle: parameter(
    z
      .string({ error: once('must be text') })
      .max(HANDLE_LENGTH * 2, 'is too long')
      .optional(),
  ),
  category: parameter(oneOf(CATEGORIES).optional()),
  startDate: parameter(day.optional()),
  endDate: parameter(day.optional()),
  sortBy: parameter(oneOf(SORT_FIELDS).default('timestamp')),
  sortOrder: parameter(oneOf(SORT_ORDERS).default('desc')),
};

const inOrder = (query: { startDate?: string | undefined; endDate?: string | undefined }) =>
  !query.startDate || !query.endDate || query.startDate <= query.endDate;
const outOfOrder = { path: ['startDate'], message: 'must not be after endDate' };

/** Query of `GET archives`. */
export const archiveQuerySchema = z
  .object({
    ...filterShape,
    page: parameter(integer(100_000_000).default(1)),
    limit: parameter(integer(MAX_PAGE_SIZE).default(PAGE_SIZE)),
    split: parameter(oneOf(['featured']).optional()),
  })
  .refine(inOrder, outOfOrder) satisfies z.ZodType<ArchiveQuery>;

/** Query of `GET archives/export`. */
export const exportQuerySchema = z
  .object({ ...filterShape, format: parameter(oneOf(EXPORT_FORMATS).default('csv')) })
  .refine(inOrder, outOfOrder);
