import { z } from 'zod';
import type { EndpointName } from '../endpoints.ts';
import { URL_LENGTH } from '../limits.ts';
import {
  archiveQuerySchema,
  exportQuerySchema,
  feedQuerySchema,
  suggestQuerySchema,
  timelineQuerySchema,
  withoutAt,
} from './archive-query-schema.ts';
import {
  challengeBodySchema,
  preferencesBodySchema,
  profileBodySchema,
  reactionBodySchema,
  reactionTypeSchema,
  signedProfileBodySchema,
  signedReactionBodySchema,
  signedTextBodySchema,
  verifyBodySchema,
} from './auth-schema.ts';
import { useCreditsBodySchema, verifyFeatureBodySchema } from './featuring-schema.ts';
import { launchBodySchema } from './launch-schema.ts';
import {
  categoryBodySchema,
  keyBodySchema,
  keyParamsSchema,
  launchesQuerySchema,
  logFilterSchema,
  logQuerySchema,
  operatorParamsSchema,
  paymentParamsSchema,
  paymentsQuerySchema,
  priceBodySchema,
  reasonBodySchema,
  reasonQuerySchema,
  refundBodySchema,
  removalBodySchema,
  removalPreviewBodySchema,
  switchBodySchema,
  switchParamsSchema,
} from './operator-schema.ts';
import {
  browserBodySchema,
  collectionBodySchema,
  collectionChangeSchema,
  collectionExportSchema,
  collectionQuerySchema,
  noticeSettingsBodySchema,
  savedSearchBodySchema,
  savedSearchChangeSchema,
} from './people-schema.ts';
import { ingestBodySchema } from './post-schema.ts';
import {
  decideBodySchema,
  hideBodySchema,
  removeReportedBodySchema,
  reopenBodySchema,
  reportBodySchema,
  reportedParamsSchema,
  reportParamsSchema,
  reportsQuerySchema,
} from './report-schema.ts';
import { liveQuerySchema, saveBodySchema, savesQuerySchema } from './save-schema.ts';

export interface InputSchemas {
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
}

const once = 'must be given once';
const post = z.object({ id: z.string().describe('A post’s `_id`, its platform `id`, or a link that names one.') });
const postAndType = post.extend({ reactionType: reactionTypeSchema });
const mint = z.object({ mint: z.string().describe('Address of a token’s mint, base58.') });
const pixels = z
  .string(once)
  .regex(/^[1-9]\d{0,5}$/, 'must be a number of pixels')
  .transform(Number)
  .optional();
const media = z.object({
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits in lower case')
    .describe('SHA-256 of the file’s bytes.'),
});
const embedded = z.object({
  url: z.string('must be given, once').max(URL_LENGTH, 'is too long').describe('Of a post’s page here.'),
  format: z.enum(['json', 'xml'], 'must be json or xml').default('json'),
  maxwidth: pixels,
  maxheight: pixels,
});
const wallet = z.object({
  walletAddress: z.string(once).optional().describe('The wallet whose own reactions are answered too.'),
});
const after = z.object({
  after: z
    .string(once)
    .regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}:[A-Za-z]{1,20}$/, 'must be the next of an earlier page')
    .optional()
    .describe('`next` of an earlier page.'),
});

const save = z.object({ save: z.string().describe('A request’s `_id`.') });
const savedSearch = z.object({ savedSearch: z.string().describe('A saved search’s `_id`.') });
const browser = z.object({ browser: z.string().describe('The `_id` of a browser that notices are pushed to.') });
const collection = z.object({ collection: z.string().describe('A collection’s `_id`.') });

/** The inputs of all calls. Fields that are not named here are ignored. */
export const INPUTS = {
  health: {},
  ready: {},
  openApi: {},
  securityTxt: {},
  robots: {},
  llms: {},
  sitemap: {},
  sitemapPart: {
    params: z.object({
      part: z
        .string()
        .regex(/^[0-9a-f]{24}\.xml$/, 'must be an _id and .xml')
        .describe('The `_id` before the first post of the part, and `.xml`.'),
    }),
  },
  feedAtom: { query: feedQuerySchema },
  feedRss: { query: feedQuerySchema },
  feedJson: { query: feedQuerySchema },
  oembed: { query: embedded },
  embed: { params: post },
  sharePicture: { params: post },
  config: {},
  listArchives: { query: archiveQuerySchema },
  exportArchives: { query: exportQuerySchema },
  ingestArchives: { body: ingestBodySchema },
  getArchive: { params: post },
  getThread: { params: post },
  getNeighbours: { params: post },
  createSave: { body: saveBodySchema },
  listSaves: { query: savesQuerySchema },
  takeBackSave: { params: save },
  getSave: { params: save },
  live: { query: liveQuerySchema },
  suggest: { query: suggestQuerySchema },
  timeline: { query: timelineQuerySchema },
  getAuthor: { params: z.object({ handle: z.string().overwrite(withoutAt).describe('A handle, in any case.') }) },
  analytics: {},
  explore: {},
  random: {},
  launchInfo: { params: post },
  challenge: { body: challengeBodySchema },
  verify: { body: verifyBodySchema },
  me: {},
  logout: {},
  logoutEverywhere: {},
  updateProfile: { body: profileBodySchema },
  updateProfileSigned: { body: signedProfileBodySchema },
  getAccount: {},
  exportAccount: {},
  deleteAccount: { body: signedTextBodySchema },
  updatePreferences: { body: preferencesBodySchema },
  userReactions: {},
  getReactions: { params: post, query: wallet },
  listReactions: { params: post, query: after },
  addReaction: { params: post, body: reactionBodySchema },
  removeReaction: { params: postAndType },
  addReactionSigned: { params: post, body: signedReactionBodySchema },
  removeReactionSigned: { params: postAndType, body: signedTextBodySchema },
  launchToken: { body: launchBodySchema },
  checkToken: { params: post },
  userTokens: {},
  tokenMetadata: { params: mint },
  tokenImage: { params: mint },
  listSearches: {},
  saveSearch: { body: savedSearchBodySchema },
  changeSearch: { params: savedSearch, body: savedSearchChangeSchema },
  dropSearch: { params: savedSearch },
  listNotices: {},
  readNotices: {},
  noticeSettings: {},
  changeNoticeSettings: { body: noticeSettingsBodySchema },
  addBrowser: { body: browserBodySchema },
  dropBrowser: { params: browser },
  listCollections: {},
  createCollection: { body: collectionBodySchema },
  getCollection: { params: collection, query: collectionQuerySchema },
  changeCollection: { params: collection, body: collectionChangeSchema },
  dropCollection: { params: collection },
  exportCollection: { params: collection, query: collectionExportSchema },
  addToCollection: { params: collection.extend(post.shape) },
  dropFromCollection: { params: collection.extend(post.shape) },
  paidPosts: {},
  featureWallet: {},
  verifyFeature: { body: verifyFeatureBodySchema },
  featureCredits: {},
  useFeatureCredits: { body: useCreditsBodySchema },
  mediaFile: { params: media },
  mediaPreview: { params: media },
  adminMe: {},
  listOperators: {},
  makeModerator: { params: operatorParamsSchema, body: reasonBodySchema },
  unmakeModerator: { params: operatorParamsSchema, query: reasonQuerySchema },
  createReport: { body: reportBodySchema },
  getReport: { params: reportParamsSchema },
  listReports: { query: reportsQuerySchema },
  decideReport: { params: reportedParamsSchema, body: decideBodySchema },
  removeReported: { params: reportedParamsSchema, body: removeReportedBodySchema },
  reopenReport: { params: reportedParamsSchema, body: reopenBodySchema },
  getAdminPost: { params: post },
  hidePost: { params: post, body: hideBodySchema },
  unhidePost: { params: post, body: reasonBodySchema },
  blockMedia: { params: media, body: reasonBodySchema },
  adminToday: {},
  listLog: { query: logQuerySchema },
  checkLog: {},
  exportLog: { query: logFilterSchema },
  listSwitches: {},
  setSwitch: { params: switchParamsSchema, body: switchBodySchema },
  listSuspended: {},
  suspendWallet: { params: operatorParamsSchema, body: reasonBodySchema },
  resumeWallet: { params: operatorParamsSchema, query: reasonQuerySchema },
  featuringTerms: {},
  setFeaturePrice: { body: priceBodySchema },
  clearFeaturePrice: { query: reasonQuerySchema },
  listPayments: { query: paymentsQuerySchema },
  holdCredit: { params: paymentParamsSchema, body: reasonBodySchema },
  releaseCredit: { params: paymentParamsSchema, query: reasonQuerySchema },
  markRefunded: { params: paymentParamsSchema, body: refundBodySchema },
  listKeys: {},
  makeKey: { body: keyBodySchema },
  revokeKey: { params: keyParamsSchema, query: reasonQuerySchema },
  listLaunches: { query: launchesQuerySchema },
  launchKey: {},
  setCategory: { params: post, body: categoryBodySchema },
  retrySave: { params: save, body: reasonBodySchema },
  cancelSave: { params: save, body: reasonBodySchema },
  previewRemoval: { body: removalPreviewBodySchema },
  removePosts: { body: removalBodySchema },
  getRemoval: { params: z.object({ removal: z.string().describe('A removal’s `_id`.') }) },
} as const satisfies Record<EndpointName, InputSchemas>;
