import { z } from 'zod';
import { REPORT_CONTACT_LENGTH, REPORT_WORDS_LENGTH, URL_LENGTH } from '../limits.ts';
import { HIDDEN_FOR, REPORT_REASONS } from '../reports.ts';
import { reasonSchema } from './operator-schema.ts';

/** A person's text without characters that could mislead its reader: controls, and marks of direction. */
function plainText(length: number) {
  return z
    .string('must be text')
    .refine((value) => value.isWellFormed(), 'holds half a character (a lone surrogate)')
    .refine(
      (value) => Array.from(value.slice(0, length * 2 + 1)).length <= length,
      `must be at most ${length} characters`,
    )
    .transform((value) => value.replace(UNSEEN, '').trim());
}

/** Controls except tab and line feed; marks, embeddings and isolates of direction. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Body of `POST reports`. */
export const reportBodySchema = z.object(
  {
    postId: z.string('must be given').max(URL_LENGTH, 'is too long').describe('A post’s `_id` or its platform `id`.'),
    reason: z.enum(REPORT_REASONS, `must be one of ${REPORT_REASONS.join(', ')}`),
    words: plainText(REPORT_WORDS_LENGTH).default('').describe('What operators should know; never shown to others.'),
    contact: plainText(REPORT_CONTACT_LENGTH).default('').describe('Where to answer, if an answer is wanted.'),
  },
  'must be an object',
);

export const reportParamsSchema = z.object({
  secret: z.string().describe('The end of `statusPath`, which the reporter alone was told.'),
});

export const reportsQuerySchema = z.object({
  state: z.enum(['open', 'done'], 'must be open or done').default('open'),
  after: z
    .string('must be given once')
    .regex(/^\d{1,2}(?:_\d)?\.\d{1,15}\.[0-9a-f]{24}$/, 'must be the next of an earlier page')
    .optional()
    .describe('`next` of an earlier page.'),
});

export const reportedParamsSchema = z.object({ post: z.string().describe('The `_id` of a reported post.') });

const seen = z
  .int('must be a whole number')
  .nonnegative()
  .describe('`round` of the reported post as it was shown: who decides on something else is told so.');
const answer = plainText(REPORT_WORDS_LENGTH).optional().describe('Words for those who have reported it.');

/** Body of `POST admin/reports/:post/decide`. */
export const decideBodySchema = z.object(
  {
    act: z.enum(['hide', 'dismiss'], 'must be hide or dismiss'),
    law: z.boolean('must be true or false').default(false).describe('Hidden for the law, not for the rules.'),
    seen,
    reason: reasonSchema,
    answer,
  },
  'must be an object',
);

/** Body of `POST admin/reports/:post/remove`. */
export const removeReportedBodySchema = z.object({ seen, reason: reasonSchema, answer }, 'must be an object');

/** Body of `POST admin/reports/:post/reopen`. */
export const reopenBodySchema = z.object({ seen, reason: reasonSchema }, 'must be an object');

/** Body of `POST admin/posts/:id/hide`. */
export const hideBodySchema = z.object(
  { for: z.enum(HIDDEN_FOR, 'must be law or rules').default('rules'), reason: reasonSchema },
  'must be an object',
);
