import { z } from 'zod';
import { COLLECTION_NAME_LENGTH, SEARCH_QUERY_LENGTH, URL_LENGTH } from '../limits.ts';
import { NOTICE_KINDS } from '../notices.ts';
import { count, exportFormatSchema } from './archive-query-schema.ts';

/** Bytes of an uncompressed point of P-256, and of the secret that comes with it. */
const POINT_BYTES = 65;
const SECRET_BYTES = 16;

/** Text on one line, at most `max` code points. */
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

const kinds = z
  .array(z.enum(NOTICE_KINDS, `must be some of ${NOTICE_KINDS.join(', ')}`), 'must be a list')
  .max(NOTICE_KINDS.length, `must be at most ${NOTICE_KINDS.length}`)
  .optional();

/** Body of `PUT notices/settings`. */
export const noticeSettingsBodySchema = z
  .object(
    { page: kinds.describe('Kinds that the page tells.'), push: kinds.describe('Kinds that are pushed.') },
    'must be an object',
  )
  .meta({ examples: [{ push: ['search', 'token'] }] });

/** Base64url of `count` bytes, with or without padding. */
function bytes(count: number) {
  const letters = Math.ceil((count * 4) / 3);
  return z
    .string('must be text')
    .transform((text) => text.replace(/={0,2}$/, ''))
    .refine((text) => text.length === letters && /^[\w-]+$/.test(text), `must be ${count} bytes in base64url`);
}

/** Body of `PUT notices/browsers`: a browser's `PushSubscription` as JSON. */
export const browserBodySchema = z
  .object(
    {
      endpoint: z
        .string('must be text')
        .max(URL_LENGTH, 'is too long')
        .describe('Where its push service takes messages for it: https, at a public name.'),
      keys: z.object(
        {
          p256dh: bytes(POINT_BYTES).describe('Its public key.'),
          auth: bytes(SECRET_BYTES).describe('What it shares with us.'),
        },
        'must be an object',
      ),
    },
    'must be an object',
  )
  .meta({
    examples: [
      {
        endpoint: 'https://push.example/send/c3Vic2NyaXB0aW9u',
        keys: {
          p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
          auth: 'BTBZMqHH6r4Tts7J_aSIgg',
        },
      },
    ],
  });
