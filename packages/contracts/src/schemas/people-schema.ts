import { z } from 'zod';
import { COLLECTION_NAME_LENGTH, SEARCH_QUERY_LENGTH } from '../limits.ts';
import { count, exportFormatSchema } from './archive-query-schema.ts';

/** One line, in code points. */
function line(max: number) {
  return z
    .string('must be text')
    .refine((value) => value.isWellFormed(), 'holds half a character (a lone surrogate)')
    .transform((value) => value.replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim())
    .refine((value) => Array.from(value.slice(0, max * 2 + 1)).length <= max, `must be at most ${max} characters`);
}

const name = line(COLLECTION_NAME_LENGTH);

/** Body of `POST searches`. */
export const savedSearchBodySchema = z
  .object(
    {
      query: z
        .string('must be text')
        .max(SEARCH_QUERY_LENGTH, 'is too long')
        .describe(
          'Filters as in the address of a list, such as `search=coffee&media=image`; order and page do not count.',
        ),
      name: name.optional().describe('Without one it is called by what it asks for.'),
    },
    'must be an object',
  )
  .meta({ examples: [{ query: 'search=night+ferry', name: 'Night ferry' }] });

/** Body of `PUT searches/:savedSearch`. */
export const savedSearchChangeSchema = z.object(
  {
    name: name.refine((value) => value !== '', 'must not be empty').optional(),
    seen: z.literal(true, 'must be true').optional().describe('What came until now is no longer new.'),
  },
  'must be an object',
);

const listName = name.refine((value) => value !== '', 'must not be empty');
const isPublic = z.boolean('must be true or false').describe('Whether whoever has its link can read it.');

/** Body of `POST collections`. */
export const collectionBodySchema = z
  .object({ name: listName, isPublic: isPublic.default(false) }, 'must be an object')
  .meta({ examples: [{ name: 'For the reading evening', isPublic: true }] });

/** Body of `PUT collections/:collection`. */
export const collectionChangeSchema = z.object(
  { name: listName.optional(), isPublic: isPublic.optional() },
  'must be an object',
);

/** Query of `GET collections/:collection`. */
export const collectionQuerySchema = z.object({
  page: count('which page, from 1', 10_000, 1),
  limit: count('how many posts a page holds', 100, 24),
});

/** Query of `GET collections/:collection/export`. */
export const collectionExportSchema = z.object({ format: exportFormatSchema });
