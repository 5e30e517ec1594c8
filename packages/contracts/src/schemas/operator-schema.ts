import { z } from 'zod';
import { CATEGORIES } from '../categories.ts';
import { PAYMENT_LIST_STATES } from '../featuring.ts';
import { LAUNCH_STATUSES } from '../launches.ts';
import { FILTER_TEXT_LENGTH, HANDLE_LENGTH, REASON_LENGTH, REMOVAL_LIST } from '../limits.ts';
import { KEY_SCOPES, SWITCHES } from '../operators.ts';

const once = 'must be given once';

/** An operator's reason for an act, in the operator's own words. */
export const reasonSchema = z
  .string('must be text')
  .refine((value) => value.isWellFormed(), 'holds half a character (a lone surrogate)')
  .refine(
    (value) => Array.from(value.slice(0, REASON_LENGTH * 2 + 1)).length <= REASON_LENGTH,
    `must be at most ${REASON_LENGTH} characters`,
  )
  .transform((value) => value.trim())
  .optional()
  .describe('Why, for the log of acts.');

/** Body of an operator's act that has only a reason. */
export const reasonBodySchema = z.object({ reason: reasonSchema }, 'must be an object');

/** The same as a query, for calls without a body. */
export const reasonQuerySchema = z.object({ reason: reasonSchema });

export const operatorParamsSchema = z.object({ wallet: z.string().describe('Address of a wallet, base58.') });

export const switchParamsSchema = z.object({
  switch: z.enum(SWITCHES, `must be ${SWITCHES.join(' or ')}`).describe('What is stopped or opened.'),
});

export const switchBodySchema = z.object(
  { isStopped: z.boolean('must be true or false'), reason: reasonSchema },
  'must be an object',
);

export const priceBodySchema = z.object(
  {
    price: z
      .string('must be text')
      .regex(/^\d{1,20}(\.\d{1,20})?$/, 'must be a decimal number of tokens, like 1 or 0.5')
      .describe('In tokens.'),
    reason: reasonSchema,
  },
  'must be an object',
);

export const paymentParamsSchema = z.object({ payment: z.string().describe('A payment’s `_id`.') });

export const refundBodySchema = z.object(
  {
    transaction: z
      .string('must be text')
      .regex(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/, 'must be a transaction signature')
      .describe('That paid it back.'),
    reason: reasonSchema,
  },
  'must be an object',
);

export const paymentsQuerySchema = z.object({
  state: z.enum(PAYMENT_LIST_STATES, `must be one of ${PAYMENT_LIST_STATES.join(', ')}`).optional(),
  payer: z.string(once).max(FILTER_TEXT_LENGTH, 'is too long').optional().describe('A wallet.'),
  after: z
    .string(once)
    .regex(/^\d{1,15}_.{1,200}$/, 'must be the next of an earlier page')
    .transform((value) => {
      const [at = '', ...id] = value.split('_');
      return { at: new Date(Number(at)), id: id.join('_') };
    })
    .optional()
    .describe('`next` of an earlier page.'),
});

const id = z
  .string('must be text')
  .min(1, 'must not be empty')
  .max(HANDLE_LENGTH + 1, 'is too long');

/** Which posts to remove; exactly one of these fields selects them. */
export const removalSelectionSchema = z
  .object(
    {
      posts: z
        .array(id, 'must be a list')
        .min(1, 'must not be empty')
        .max(REMOVAL_LIST, `must be at most ${REMOVAL_LIST}`)
        .optional()
        .describe('Ids, ours or the platform’s.'),
      author: id
        .optional()
        .describe('A handle, in any case, or the platform’s id of an author; a handle of digits alone with its `@`.'),
      key: id.optional().describe('All that an agent key saved.'),
      asker: id.optional().describe('All that came with the requests of a wallet, a key or an account.'),
    },
    'must be an object',
  )
  .refine(
    (given) => Object.values(given).filter((one) => one !== undefined).length === 1,
    'must be one of posts, author, key, asker',
  );

export const removalPreviewBodySchema = z.object({ selection: removalSelectionSchema }, 'must be an object');

export const removalBodySchema = z
  .object(
    {
      selection: removalSelectionSchema,
      count: z.int('must be the count of a preview').nonnegative('must be the count of a preview'),
      isRefused: z
        .boolean('must be true or false')
        .default(true)
        .describe('False, of a key alone: as if the posts had never been sent.'),
      reason: reasonSchema,
    },
    'must be an object',
  )
  .refine(({ selection, isRefused }) => isRefused || selection.key !== undefined, {
    error: 'can be false for a key alone',
    path: ['isRefused'],
  });

const text = z.string(once).max(FILTER_TEXT_LENGTH, 'is too long').optional();
const instant = z.iso
  .datetime({ offset: true, error: 'must be an instant like 2026-01-31T12:00:00Z' })
  .transform((value) => new Date(value))
  .optional();

const filters = {
  actor: text.describe('Who: a wallet, the id of a key, or a kind such as `command line`.'),
  act: text.describe('What was done, such as `make moderator`.'),
  subject: text.describe('To what: its id, or its kind.'),
  since: instant.describe('From this instant on.'),
  until: instant.describe('Before this instant.'),
  words: text.describe('In the reason, the act, or the ids of who and what.'),
};

/** Query of `GET admin/log/export`. */
export const logFilterSchema = z.object(filters);

/** Query of `GET admin/log`. */
export const logQuerySchema = z.object({
  ...filters,
  before: z
    .string(once)
    .regex(/^[1-9]\d{0,14}$/, 'must be the next of an earlier page')
    .transform(Number)
    .optional()
    .describe('`next` of an earlier page.'),
});

export const keyParamsSchema = z.object({ key: z.string().describe('A key’s `_id`.') });

export const keyBodySchema = z.object(
  {
    name: z
      .string('must be text')
      .trim()
      .min(1, 'must not be empty')
      .max(FILTER_TEXT_LENGTH, 'is too long')
      .describe('What it is for.'),
    scopes: z
      .array(z.enum(KEY_SCOPES, `must be some of ${KEY_SCOPES.join(', ')}`), 'must be a list')
      .min(1, 'must not be empty')
      .max(KEY_SCOPES.length, 'must name each once')
      .default(['ingest']),
    expiresAt: instant.describe('Without one it never ends.'),
    postsPerMinute: z
      .int('must be a number from 1 to 999999')
      .min(1, 'must be a number from 1 to 999999')
      .max(999_999, 'must be a number from 1 to 999999')
      .optional(),
    reason: reasonSchema,
  },
  'must be an object',
);

export const launchesQuerySchema = z.object({
  state: z.enum(LAUNCH_STATUSES, `must be one of ${LAUNCH_STATUSES.join(', ')}`).optional(),
  after: z
    .string(once)
    .regex(/^\d{1,15}_[0-9a-f]{24}$/, 'must be the next of an earlier page')
    .transform((value) => {
      const [at = '', id = ''] = value.split('_');
      return { at: new Date(Number(at)), id };
    })
    .optional()
    .describe('`next` of an earlier page.'),
});

export const categoryBodySchema = z.object(
  {
    category: z.enum(CATEGORIES, `must be one of ${CATEGORIES.join(', ')}, or null`).nullable(),
    reason: reasonSchema,
  },
  'must be an object',
);
