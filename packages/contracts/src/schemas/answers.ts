import { z } from 'zod';
import { EXPORT_FORMATS, type ExportFormat, type FeedFormat } from '../archive-query.ts';
import type { EndpointName } from '../endpoints.ts';
import type { ErrorCode } from '../errors.ts';
import { MEDIA_FILE_TYPES } from '../media-files.ts';
import { BUCKETS, DAYS_OVER_MONTHS, MONTHS_OVER_MONTHS, WEEKS_OVER_MONTHS } from '../timeline.ts';
import {
  accountSchema,
  adminKeySchema,
  adminLaunchSchema,
  adminPaymentSchema,
  adminPostSchema,
  analyticsSchema,
  archivePageSchema,
  authorSchema,
  browserId,
  collectionSchema,
  creditSchema,
  exploreSchema,
  featureWalletSchema,
  featuringTermsSchema,
  givenReactionSchema,
  ingestReportSchema,
  instantSchema,
  launchInfoSchema,
  logEntrySchema,
  noticeSchema,
  noticeSettingsSchema,
  operatorSchema,
  paginationSchema,
  paidPostSchema,
  postReactionsSchema,
  postSchema,
  preferencesSchema,
  publicConfigSchema,
  reactionReceiptsSchema,
  removalPreviewSchema,
  removalSchema,
  reportedPostSchema,
  reportStateSchema,
  roleSchema,
  savedSearchSchema,
  savePageSchema,
  saveSchema,
  signInSchema,
  suggestionsSchema,
  suspendedWalletSchema,
  switchSchema,
  tokenCheckSchema,
  tokenLaunchSchema,
  userSchema,
} from './entities.ts';

/** An answer that is not JSON: its possible content types. */
export interface Media {
  media: readonly string[];
}

/** Content type of an export, by its format. */
export const EXPORT_TYPES: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
};

/** The answer of one call, if the call is not refused. */
export interface AnswerDescription {
  /** One line for the docs. */
  summary: string;
  /** A schema, media, or `null` for an empty answer (204). */
  answer: z.ZodType | Media | null;
  /** Statuses, if not only 200 (or 204). */
  statuses?: readonly number[];
  /** The call's own error codes, besides those that follow from its input, its access and its limits. */
  refusals?: readonly ErrorCode[];
}

const userAnswer = userSchema.extend({ user: userSchema });
const featured = z.strictObject({ success: z.literal(true), archive: postSchema });
const pending = z.strictObject({ success: z.literal(false), status: z.literal('pending') });

const SIGNATURE_REFUSALS = ['signature_invalid', 'message_expired', 'message_replayed', 'account_deleting'] as const;
const FEATURE_REFUSALS = [
  'already_featured',
  'featuring_unavailable',
  'chain_unavailable',
  'ledger_unavailable',
] as const;

/** Error codes of every change by an operator. */
const OPERATOR_REFUSALS = ['audit_unavailable', 'ledger_unavailable'] as const;

const TEXT = 'text/plain; charset=utf-8';
const XML = 'application/xml; charset=utf-8';

/** Content type of a feed, by its format. */
export const FEED_TYPES = {
  atom: 'application/atom+xml; charset=utf-8',
  rss: 'application/rss+xml; charset=utf-8',
  json: 'application/feed+json; charset=utf-8',
} as const satisfies Record<FeedFormat, string>;

/** Errors about a filter or a collection are feeds too, because a feed reader shows those to its user. */
function feedAnswer(name: string, type: string) {
  return {
    summary: `Matching posts as ${name}, last saved first`,
    answer: { media: [type] },
    statuses: [200, 400, 404],
  };
}

const agentsAwaySchema = z
  .array(z.strictObject({ platform: z.enum(['x', 'bluesky']), since: instantSchema.nullable() }))
  .describe('Platforms whose mentions no agent reads, though the settings name an account there.');

const searchSchema = z
  .string()
  .nullable()
  .describe('What is wrong with the search cluster, or how far a build of the index is; null: nothing.');

/** The answers of all calls. Docs and tests use them; the page never loads them. */
export const ANSWERS = {
  health: { summary: 'Whether the process lives', answer: z.strictObject({ status: z.literal('ok') }) },
  ready: {
    summary: 'Whether the process can serve, and how far it is',
    answer: z.strictObject({
      status: z.string().describe('`ready`, or what is still missing; then the answer is a 503.'),
      done: z.int(),
      total: z.int(),
      behind: z.number().describe('Seconds for which changes by other processes may not be shown yet.'),
      waiting: z.int().describe('Changes, such as those of an import, that the index does not hold yet.'),
      noRoom: z
        .string()
        .nullable()
        .describe('Set where the disk is too small for a second file of the index, which is then not built.'),
      search: searchSchema,
      agentsAway: agentsAwaySchema,
    }),
    statuses: [200, 503],
  },
  openApi: { summary: 'This description', answer: z.looseObject({ openapi: z.string() }) },
  securityTxt: {
    summary: 'Whom to tell of a weakness (RFC 9116), where the operator has named somebody',
    answer: { media: ['text/plain; charset=utf-8'] },
    refusals: ['not_found'],
  },
  robots: { summary: 'Where programs that read all of it may go', answer: { media: [TEXT] } },
  llms: { summary: 'The archive in a page of Markdown, for language models', answer: { media: [TEXT] } },
  sitemap: { summary: 'The parts of the sitemap', answer: { media: [XML] } },
  sitemapPart: { summary: 'Pages of posts, as a sitemap', answer: { media: [XML] } },
  feedAtom: feedAnswer('Atom (RFC 4287)', FEED_TYPES.atom),
  feedRss: feedAnswer('RSS 2.0', FEED_TYPES.rss),
  feedJson: feedAnswer('JSON Feed 1.1', FEED_TYPES.json),
  oembed: {
    summary: 'How another site shows a post (oEmbed 1.0)',
    answer: { media: ['application/json; charset=utf-8', 'text/xml; charset=utf-8'] },
    refusals: ['not_found', 'post_not_found', 'post_removed', 'post_hidden', 'post_withheld'],
  },
  embed: {
    summary: 'A post as a page for the frame of another site',
    answer: { media: ['text/html; charset=utf-8'] },
    statuses: [200, 404, 410],
  },
  sharePicture: { summary: 'A post as a picture of 1200 by 630, for previews', answer: { media: ['image/png'] } },
  config: { summary: 'What a browser needs to know of this archive', answer: publicConfigSchema },
  listArchives: { summary: 'One page of posts, filtered and sorted', answer: archivePageSchema },
  exportArchives: {
    summary: 'All matching posts as a stream, or what has changed since a cursor',
    answer: { media: EXPORT_FORMATS.map((format) => EXPORT_TYPES[format]) },
    refusals: ['rate_limited', 'cursor_gone'],
  },
  ingestArchives: { summary: 'Saves posts', answer: ingestReportSchema, statuses: [200, 201] },
  getArchive: { summary: 'One post', answer: postSchema },
  getThread: {
    summary: 'The posts with which its author goes on, this one among them, in order',
    answer: z.strictObject({ data: z.array(postSchema) }),
  },
  getNeighbours: {
    summary: 'The posts just before and just after one in time',
    answer: z.strictObject({
      before: postSchema.nullable().describe('The next older one; null where there is none.'),
      after: postSchema.nullable().describe('The next newer one; null where there is none.'),
    }),
  },
  createSave: {
    summary: 'Asks for a post to be saved; 200 where it is kept already',
    answer: saveSchema,
    statuses: [200, 202],
    refusals: [
      'wallet_suspended',
      'save_declined',
      'post_removed',
      'post_hidden',
      'post_withheld',
      'saving_unavailable',
    ],
  },
  listSaves: {
    summary: 'Requests to save, newest first',
    answer: savePageSchema,
    // Only with `mine`.
    refusals: ['unauthorized'],
  },
  takeBackSave: {
    summary: 'Ends an own request to save before its post is fetched',
    answer: saveSchema,
    refusals: ['not_found', 'save_refused'],
  },
  getSave: { summary: 'One request to save', answer: saveSchema, refusals: ['not_found'] },
  live: {
    summary:
      'Server-sent events: `posts` with how many have come since the last one, `gone` with the `_id` of posts no longer shown',
    answer: { media: ['text/event-stream; charset=utf-8'] },
    refusals: ['rate_limited'],
  },
  suggest: { summary: 'Authors and words that begin with what was typed', answer: suggestionsSchema },
  timeline: {
    summary: 'How many posts match by day, week, month or year',
    answer: z.strictObject({
      bucket: z
        .enum(BUCKETS)
        .describe(
          `By the calendar months from the first match to the last: days over up to ${DAYS_OVER_MONTHS}, weeks over up to ${WEEKS_OVER_MONTHS}, months over up to ${MONTHS_OVER_MONTHS}, else years.`,
        ),
      counts: z
        .array(
          z.strictObject({
            from: z
              .string()
              .regex(/^[+-]?\d{4,6}-\d\d-\d\d$/)
              .describe('Its first day, in UTC; weeks begin on Monday.'),
            count: z.int().positive(),
          }),
        )
        .describe('In order of time; those without a post are left out. Together they are the total of the list.'),
    }),
  },
  getAuthor: { summary: 'An author, as far as their posts are kept', answer: authorSchema, refusals: ['not_found'] },
  analytics: { summary: 'Top authors, posts by category and by day', answer: analyticsSchema },
  explore: { summary: 'Ways into the archive, none of which is a search', answer: exploreSchema },
  random: { summary: 'One post, each as likely as the others', answer: postSchema, refusals: ['post_not_found'] },
  launchInfo: { summary: 'One post and where its token was launched', answer: launchInfoSchema },
  challenge: {
    summary: 'A text to sign in with, good for five minutes',
    answer: z.union([z.strictObject({ challenge: z.string() }), z.strictObject({ signIn: signInSchema })]),
  },
  verify: {
    summary: 'Signs in: a signed challenge for a session',
    answer: z.strictObject({ token: z.string(), user: userSchema }),
    refusals: ['challenge_invalid', 'signature_invalid', 'account_deleting'],
  },
  me: {
    summary: 'The signed-in user',
    answer: userAnswer.extend({ isOperator: z.boolean() }),
  },
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
  getAccount: { summary: 'How much is kept of the signed-in wallet', answer: accountSchema },
  exportAccount: {
    summary: 'Everything that is kept of the signed-in wallet, as a file',
    answer: { media: [EXPORT_TYPES.json] },
    refusals: ['rate_limited'],
  },
  deleteAccount: {
    summary: 'Deletes the account of the wallet that signs; payments and launches stay, as they do on the chain',
    answer: null,
    refusals: ['signature_invalid', 'message_expired', 'message_replayed', 'ledger_unavailable'],
  },
  userReactions: { summary: 'Reactions the signed-in wallet has given', answer: z.array(givenReactionSchema) },
  getReactions: { summary: 'Counts of a post, and what one wallet has given', answer: postReactionsSchema },
  listReactions: { summary: 'Who gave which reaction to a post', answer: reactionReceiptsSchema },
  addReaction: { summary: 'Gives a reaction', answer: postReactionsSchema, refusals: ['wallet_suspended'] },
  removeReaction: { summary: 'Takes a reaction back', answer: postReactionsSchema },
  addReactionSigned: {
    summary: 'Gives a reaction by a signed message',
    answer: postReactionsSchema,
    refusals: [...SIGNATURE_REFUSALS, 'wallet_suspended'],
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
      'wallet_suspended',
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
  listSearches: {
    summary: 'Searches that the signed-in wallet has saved, with how many new posts each has',
    answer: z.strictObject({ data: z.array(savedSearchSchema) }),
  },
  saveSearch: {
    summary: 'Saves a search; one that is saved already is answered as it is',
    answer: savedSearchSchema,
    statuses: [200, 201],
    refusals: ['too_many'],
  },
  changeSearch: {
    summary: 'Renames a saved search, or marks it as seen',
    answer: savedSearchSchema,
    refusals: ['not_found'],
  },
  dropSearch: { summary: 'Forgets a saved search', answer: null },
  listNotices: {
    summary: 'What the signed-in wallet is told: new posts in saved searches, what it saved, launched and paid for',
    answer: z.strictObject({ data: z.array(noticeSchema), unread: z.int().nonnegative() }),
  },
  readNotices: { summary: 'Marks all notices as read', answer: null },
  noticeSettings: {
    summary: 'Which notices the signed-in wallet wants, and the browsers they are pushed to',
    answer: noticeSettingsSchema,
  },
  changeNoticeSettings: {
    summary: 'Chooses which notices the page tells, and which are pushed',
    answer: noticeSettingsSchema,
  },
  addBrowser: {
    summary: 'Pushes notices to a browser from now on; one that is known already is kept anew',
    answer: z.strictObject({ _id: browserId }),
    refusals: ['too_many', 'push_unavailable'],
  },
  dropBrowser: { summary: 'Pushes nothing to a browser any more', answer: null },
  listCollections: {
    summary: 'Collections of the signed-in wallet',
    answer: z.strictObject({ data: z.array(collectionSchema) }),
  },
  createCollection: {
    summary: 'Makes a collection',
    answer: collectionSchema,
    statuses: [201],
    refusals: ['too_many'],
  },
  getCollection: {
    summary: 'A collection and its posts, latest first',
    answer: z.strictObject({ collection: collectionSchema, data: z.array(postSchema), pagination: paginationSchema }),
    refusals: ['not_found'],
  },
  changeCollection: {
    summary: 'Renames a collection, or opens or closes it',
    answer: collectionSchema,
    refusals: ['not_found'],
  },
  dropCollection: { summary: 'Deletes a collection; its posts stay in the archive', answer: null },
  exportCollection: {
    summary: 'All posts of a collection as a stream',
    answer: { media: EXPORT_FORMATS.map((format) => EXPORT_TYPES[format]) },
    refusals: ['not_found', 'rate_limited'],
  },
  addToCollection: { summary: 'Puts a post into a collection', answer: null, refusals: ['not_found', 'too_many'] },
  dropFromCollection: { summary: 'Takes a post out of a collection', answer: null, refusals: ['not_found'] },
  paidPosts: {
    summary: 'What the signed-in wallet has paid for, newest first',
    answer: z.strictObject({ data: z.array(paidPostSchema) }),
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
    refusals: [...FEATURE_REFUSALS, 'payment_used', 'not_enough_credit', 'wallet_suspended'],
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
  adminMe: {
    summary: 'The operator who is signed in',
    answer: z.strictObject({
      wallet: z.string(),
      role: roleSchema,
      freshUntil: instantSchema.describe('Until then the sign-in is good for what cannot be undone.'),
    }),
  },
  listOperators: {
    summary: 'Who may do what: admins by the settings, and moderators',
    answer: z.strictObject({ data: z.array(operatorSchema) }),
  },
  makeModerator: { summary: 'Makes a wallet a moderator', answer: operatorSchema, refusals: OPERATOR_REFUSALS },
  unmakeModerator: {
    summary: 'Ends what a moderator may, from the next call on',
    answer: null,
    refusals: OPERATOR_REFUSALS,
  },
  createReport: {
    summary: 'Reports a post to whoever runs this archive',
    answer: z.strictObject({
      id: z.string().describe('The report’s number, such as `R-20418`.'),
      statusPath: z.string().describe('Path of the page that says what became of it: nobody else knows it.'),
    }),
    statuses: [201],
    refusals: ['post_not_found', 'post_removed', 'post_hidden', 'post_withheld', 'rate_limited'],
  },
  getReport: {
    summary: 'What became of a report',
    answer: z.strictObject({
      id: z.string(),
      state: reportStateSchema,
      createdAt: instantSchema,
      decidedAt: instantSchema.nullable(),
      answer: z.string().nullable().describe('What an operator has to say of it.'),
    }),
    refusals: ['not_found'],
  },
  listReports: {
    summary: 'Reported posts, the gravest first, then the oldest; of decided ones the latest first',
    answer: z.strictObject({
      data: z.array(reportedPostSchema),
      total: z.int(),
      next: z.string().nullable().describe('For `after`; null on the last page.'),
    }),
  },
  decideReport: {
    summary: 'Hides a reported post, or dismisses what was reported of it',
    answer: reportedPostSchema,
    refusals: ['not_found', 'already_decided', ...OPERATOR_REFUSALS],
  },
  removeReported: {
    summary: 'Removes a reported post for good',
    answer: reportedPostSchema,
    refusals: ['not_found', 'already_decided', ...OPERATOR_REFUSALS],
  },
  reopenReport: {
    summary: 'Takes back the last decision on a reported post, where that can be',
    answer: reportedPostSchema,
    refusals: ['not_found', 'already_decided', ...OPERATOR_REFUSALS],
  },
  getAdminPost: { summary: 'A post as operators see it', answer: adminPostSchema },
  hidePost: { summary: 'Hides a post; it can come back whole', answer: adminPostSchema, refusals: OPERATOR_REFUSALS },
  unhidePost: { summary: 'Shows a hidden post again', answer: adminPostSchema, refusals: OPERATOR_REFUSALS },
  blockMedia: {
    summary: 'Removes a picture or video, whoever needs it, and keeps it never again',
    answer: null,
    refusals: OPERATOR_REFUSALS,
  },
  adminToday: {
    summary: 'Figures of the last day for operators',
    answer: z.strictObject({
      reportsOpen: z.int(),
      hiddenByReports: z.strictObject({ today: z.int(), atMost: z.int(), isOver: z.boolean() }),
      payments: z.strictObject({
        unsettled: z.int().describe('Not applied or not final yet.'),
        credits: z.int().describe('That nobody has used.'),
      }),
      launches: z.strictObject({ unsettled: z.int().describe('Under way.'), today: z.int() }),
      indexBehindMs: z.int().describe('Since when changes by other processes may not be shown yet.'),
      search: searchSchema,
      agentsAway: agentsAwaySchema,
      disk: z.strictObject({
        freeBytes: z.int(),
        totalBytes: z.int(),
        floorBytes: z.int().describe('With less, nothing new is kept.'),
      }),
      hours: z
        .array(
          z.strictObject({
            from: instantSchema,
            posts: z.int(),
            saves: z.int(),
            failedSaves: z.int(),
            payments: z.int(),
          }),
        )
        .describe('The last 24, oldest first; the last one has not ended.'),
    }),
  },
  listLog: {
    summary: 'The log of acts, latest first',
    answer: z.strictObject({
      data: z.array(logEntrySchema),
      next: z.string().nullable().describe('For `before`; null on the last page.'),
    }),
  },
  checkLog: {
    summary: 'Whether the chain of the log of acts holds, gone through from end to end within the last minute',
    answer: z.strictObject({
      entries: z.int().nonnegative(),
      faults: z.array(z.string()).describe('In words, oldest first, at most a hundred; none where the chain holds.'),
      checkedAt: instantSchema,
    }),
  },
  exportLog: {
    summary: 'The log of acts as a stream, oldest first, with the marks that chain it',
    answer: { media: [EXPORT_TYPES.ndjson] },
  },
  listPayments: {
    summary: 'Payments and credits of everybody, newest first',
    answer: z.strictObject({
      data: z.array(adminPaymentSchema),
      next: z.string().nullable().describe('For `after`; null on the last page.'),
    }),
  },
  holdCredit: {
    summary: 'Takes a credit out of use, so that it can be paid back',
    answer: adminPaymentSchema,
    refusals: [...OPERATOR_REFUSALS, 'refund_refused'],
  },
  releaseCredit: {
    summary: 'Gives a held credit back to its payer',
    answer: adminPaymentSchema,
    refusals: [...OPERATOR_REFUSALS, 'refund_refused'],
  },
  markRefunded: {
    summary: 'Marks a held credit as paid back by a transaction, which is looked up on the chain',
    answer: adminPaymentSchema,
    refusals: [...OPERATOR_REFUSALS, 'refund_refused', 'chain_unavailable'],
  },
  listKeys: { summary: 'Agent keys, oldest first', answer: z.strictObject({ data: z.array(adminKeySchema) }) },
  makeKey: {
    summary: 'Makes an agent key, which is answered this once',
    answer: z.strictObject({ id: z.string(), key: z.string() }),
    statuses: [201],
    refusals: OPERATOR_REFUSALS,
  },
  revokeKey: { summary: 'Ends an agent key at once', answer: null, refusals: OPERATOR_REFUSALS },
  listLaunches: {
    summary: 'Launches of everybody, the one changed last first',
    answer: z.strictObject({
      data: z.array(adminLaunchSchema),
      next: z.string().nullable().describe('For `after`; null on the last page.'),
    }),
  },
  launchKey: {
    summary: 'What the key that pays for launches holds, and for how long it lasts',
    answer: z.strictObject({
      address: z.string(),
      lamports: z.string(),
      floorLamports: z.string().describe('That launches leave on it.'),
      lamportsEach: z.string().nullable().describe('What the last launches cost each; null before the first.'),
      launchesLeft: z.int().nonnegative().nullable(),
      daysLeft: z.int().nonnegative().nullable().describe('With as many launches a day as in the last seven.'),
    }),
    refusals: ['launching_unavailable', 'chain_unavailable'],
  },
  setCategory: { summary: 'Gives a post another category, or none', answer: null, refusals: OPERATOR_REFUSALS },
  retrySave: {
    summary: 'Has a request to save that failed begin again',
    answer: saveSchema,
    refusals: [...OPERATOR_REFUSALS, 'save_refused'],
  },
  cancelSave: {
    summary: 'Ends a request to save that is under way',
    answer: saveSchema,
    refusals: [...OPERATOR_REFUSALS, 'save_refused'],
  },
  previewRemoval: { summary: 'What a removal would take', answer: removalPreviewSchema },
  removePosts: {
    summary: 'Removes posts that were looked at first; 202 while it goes on',
    answer: removalSchema,
    statuses: [200, 202],
    refusals: [...OPERATOR_REFUSALS, 'selection_changed'],
  },
  getRemoval: { summary: 'How far a removal is', answer: removalSchema },
  listSwitches: { summary: 'What operators can stop', answer: z.strictObject({ data: z.array(switchSchema) }) },
  setSwitch: {
    summary: 'Stops launching or featuring for everybody, or opens it again',
    answer: switchSchema,
    refusals: OPERATOR_REFUSALS,
  },
  listSuspended: {
    summary: 'Suspended wallets, the latest first',
    answer: z.strictObject({ data: z.array(suspendedWalletSchema) }),
  },
  suspendWallet: { summary: 'Suspends a wallet', answer: null, refusals: OPERATOR_REFUSALS },
  resumeWallet: { summary: 'Ends the suspension of a wallet', answer: null, refusals: OPERATOR_REFUSALS },
  featuringTerms: {
    summary: 'What featuring costs, and by whose word',
    answer: featuringTermsSchema,
    refusals: ['featuring_unavailable'],
  },
  setFeaturePrice: {
    summary: 'Sets the price of featuring; it wins over the settings until it is cleared',
    answer: featuringTermsSchema,
    refusals: [...OPERATOR_REFUSALS, 'featuring_unavailable'],
  },
  clearFeaturePrice: {
    summary: 'Gives the price of featuring back to the settings',
    answer: featuringTermsSchema,
    refusals: [...OPERATOR_REFUSALS, 'featuring_unavailable'],
  },
} as const satisfies Record<EndpointName, AnswerDescription>;
