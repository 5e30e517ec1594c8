import { z } from 'zod';
import { EXPORT_FORMATS, type ExportFormat } from '../archive-query.ts';
import type { EndpointName } from '../endpoints.ts';
import type { ErrorCode } from '../errors.ts';
import { MEDIA_FILE_TYPES } from '../media-files.ts';
import {
  analyticsSchema,
  archivePageSchema,
  creditSchema,
  featureWalletSchema,
  givenReactionSchema,
  ingestReportSchema,
  launchInfoSchema,
  postReactionsSchema,
  postSchema,
  preferencesSchema,
  publicConfigSchema,
  reactionReceiptsSchema,
  savePageSchema,
  saveSchema,
  signInSchema,
  tokenCheckSchema,
  tokenLaunchSchema,
  userSchema,
} from './entities.ts';

/** An answer that is no JSON of ours: its possible content types. */
export interface Media {
  media: readonly string[];
}

/** Content type of an export, by its format. */
export const EXPORT_TYPES: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
};

/** What goes out of one call, where it is not refused. */
export interface AnswerDescription {
  /** One line for the docs. */
  summary: string;
  /** A schema, media, or `null` where the answer is empty (204). */
  answer: z.ZodType | Media | null;
  /** Where it is not 200 alone (or 204). */
  statuses?: readonly number[];
  /** Refusals of its own, besides those that follow from its input, its access and its limits. */
  refusals?: readonly ErrorCode[];
}

const userAnswer = userSchema.extend({ user: userSchema });
const featured = z.strictObject({ success: z.literal(true), archive: postSchema });
const pending = z.strictObject({ success: z.literal(false), status: z.literal('pending') });

const SIGNATURE_REFUSALS = ['signature_invalid', 'message_expired', 'message_replayed'] as const;
const FEATURE_REFUSALS = [
  'already_featured',
  'featuring_unavailable',
  'chain_unavailable',
  'ledger_unavailable',
] as const;

/** What goes out of every call. Docs and tests use it, the page never loads it. */
export const ANSWERS = {
  health: { summary: 'Whether the process lives', answer: z.strictObject({ status: z.literal('ok') }) },
  ready: {
    summary: 'Whether the process can serve, and how far it is',
    answer: z.strictObject({
      status: z.string().describe('`ready`, or what is still missing; then the answer is a 503.'),
      done: z.int(),
      total: z.int(),
      behind: z.number().describe('Seconds for which changes by other processes may not be shown yet.'),
    }),
    statuses: [200, 503],
  },
  openApi: { summary: 'This description', answer: z.looseObject({ openapi: z.string() }) },
  securityTxt: {
    summary: 'Whom to tell of a weakness (RFC 9116), where the operator has named somebody',
    answer: { media: ['text/plain; charset=utf-8'] },
    refusals: ['not_found'],
  },
  config: { summary: 'What a browser needs to know of this archive', answer: publicConfigSchema },
  listArchives: { summary: 'One page of posts, filtered and sorted', answer: archivePageSchema },
  exportArchives: {
    summary: 'All matching posts as a stream',
    answer: { media: EXPORT_FORMATS.map((format) => EXPORT_TYPES[format]) },
    refusals: ['rate_limited'],
  },
  ingestArchives: { summary: 'Saves posts', answer: ingestReportSchema, statuses: [200, 201] },
  getArchive: { summary: 'One post', answer: postSchema },
  createSave: {
    summary: 'Asks for a post to be saved; 200 where it is kept already',
    answer: saveSchema,
    statuses: [200, 202],
    refusals: ['save_declined', 'post_removed', 'saving_unavailable'],
  },
  listSaves: {
    summary: 'Requests to save, newest first',
    answer: savePageSchema,
    // With `mine` alone.
    refusals: ['unauthorized'],
  },
  getSave: { summary: 'One request to save', answer: saveSchema, refusals: ['not_found'] },
  live: {
    summary: 'Server-sent events: `posts` with how many have come since the last one',
    answer: { media: ['text/event-stream; charset=utf-8'] },
    refusals: ['rate_limited'],
  },
  analytics: { summary: 'Top authors, posts by category and by day', answer: analyticsSchema },
  launchInfo: { summary: 'One post and where its token was launched', answer: launchInfoSchema },
  challenge: {
    summary: 'A text to sign in with, good for five minutes',
    answer: z.union([z.strictObject({ challenge: z.string() }), z.strictObject({ signIn: signInSchema })]),
  },
  verify: {
    summary: 'Signs in: a signed challenge for a session',
    answer: z.strictObject({ token: z.string(), user: userSchema }),
    refusals: ['challenge_invalid', 'signature_invalid'],
  },
  me: { summary: 'The signed-in user', answer: userAnswer },
  logout: { summary: 'Ends the session', answer: null },
  logoutEverywhere: { summary: 'Ends every session of the wallet', answer: null },
  updateProfile: { summary: 'Changes the profile', answer: userAnswer },
  updateProfileSigned: {
    summary: 'Changes the profile by a signed message',
    answer: userAnswer,
    refusals: SIGNATURE_REFUSALS,
  },
  updatePreferences: {
    summary: 'Changes the preferences',
    answer: z.strictObject({ preferences: preferencesSchema }),
  },
  userReactions: { summary: 'Reactions the signed-in wallet has given', answer: z.array(givenReactionSchema) },
  getReactions: { summary: 'Counts of a post, and what one wallet has given', answer: postReactionsSchema },
  listReactions: { summary: 'Who gave which reaction to a post', answer: reactionReceiptsSchema },
  addReaction: { summary: 'Gives a reaction', answer: postReactionsSchema },
  removeReaction: { summary: 'Takes a reaction back', answer: postReactionsSchema },
  addReactionSigned: {
    summary: 'Gives a reaction by a signed message',
    answer: postReactionsSchema,
    refusals: SIGNATURE_REFUSALS,
  },
  removeReactionSigned: {
    summary: 'Takes a reaction back by a signed message',
    answer: postReactionsSchema,
    refusals: SIGNATURE_REFUSALS,
  },
  launchToken: {
    summary: 'Launches a token from a post; 202 while the chain has not answered',
    answer: tokenLaunchSchema.extend({ tokenLaunch: tokenLaunchSchema }),
    statuses: [201, 202],
    refusals: [
      'signature_invalid',
      'launch_not_allowed',
      'already_launched',
      'launch_under_way',
      'chain_unavailable',
      'launching_unavailable',
      'launch_failed',
      'metadata_unavailable',
      'ledger_unavailable',
    ],
  },
  checkToken: { summary: 'Whether a post was launched, or what stands in the way', answer: tokenCheckSchema },
  userTokens: { summary: 'Tokens the signed-in wallet has launched', answer: z.array(tokenLaunchSchema) },
  tokenMetadata: {
    summary: 'What a token says of itself; without words once its post is removed',
    answer: { media: ['application/json; charset=utf-8'] },
    refusals: ['not_found'],
  },
  tokenImage: {
    summary: 'A token’s picture; it never changes',
    answer: { media: ['image/png'] },
    refusals: ['not_found'],
  },
  featureWallet: { summary: 'Where a payment goes and how much it is', answer: featureWalletSchema },
  verifyFeature: {
    summary: 'Reports a payment; 202 while the chain does not show it yet',
    answer: z.union([featured, pending]),
    statuses: [200, 202],
    refusals: [
      ...FEATURE_REFUSALS,
      'payment_used',
      'payment_credited',
      'payment_refused',
      'payment_not_found',
      'payment_too_little',
    ],
  },
  featureCredits: { summary: 'Payments of the signed-in wallet that wait for a use', answer: z.array(creditSchema) },
  useFeatureCredits: {
    summary: 'Features a post with credits',
    answer: featured,
    refusals: [...FEATURE_REFUSALS, 'payment_used', 'not_enough_credit'],
  },
  mediaFile: {
    summary: 'A picture or video of a kept post, whole or a part of it (`Range`)',
    answer: { media: MEDIA_FILE_TYPES },
    statuses: [200, 206],
    refusals: ['not_found', 'range_not_satisfiable'],
  },
  mediaPreview: {
    summary: 'A small WebP of a kept picture; a video has none, its poster is a picture of its own',
    answer: { media: ['image/webp'] },
    statuses: [200, 206],
    refusals: ['not_found', 'range_not_satisfiable'],
  },
} as const satisfies Record<EndpointName, AnswerDescription>;
