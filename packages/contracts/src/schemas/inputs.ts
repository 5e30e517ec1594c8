import { z } from 'zod';
import type { EndpointName } from '../endpoints.ts';
import { archiveQuerySchema, exportQuerySchema } from './archive-query-schema.ts';
import {
  challengeBodySchema,
  preferencesBodySchema,
  profileBodySchema,
  reactionBodySchema,
  reactionTypeSchema,
  signedProfileBodySchema,
  signedReactionBodySchema,
  signedRemovalBodySchema,
  verifyBodySchema,
} from './auth-schema.ts';
import { useCreditsBodySchema, verifyFeatureBodySchema } from './featuring-schema.ts';
import { launchBodySchema } from './launch-schema.ts';
import { ingestBodySchema } from './post-schema.ts';
import { saveBodySchema, savesQuerySchema } from './save-schema.ts';

export interface InputSchemas {
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
}

const once = 'must be given once';
const post = z.object({ id: z.string().describe('A post’s `_id`, its platform `id`, or a link that names one.') });
const postAndType = post.extend({ reactionType: reactionTypeSchema });
const mint = z.object({ mint: z.string().describe('Address of a token’s mint, base58.') });
const media = z.object({
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits in lower case')
    .describe('SHA-256 of the file’s bytes.'),
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

/** What may come in with each call. Whatever is not named here is ignored. */
export const INPUTS = {
  health: {},
  ready: {},
  openApi: {},
  securityTxt: {},
  config: {},
  listArchives: { query: archiveQuerySchema },
  exportArchives: { query: exportQuerySchema },
  ingestArchives: { body: ingestBodySchema },
  getArchive: { params: post },
  createSave: { body: saveBodySchema },
  listSaves: { query: savesQuerySchema },
  getSave: { params: z.object({ save: z.string().describe('A request’s `_id`.') }) },
  live: {},
  analytics: {},
  launchInfo: { params: post },
  challenge: { body: challengeBodySchema },
  verify: { body: verifyBodySchema },
  me: {},
  logout: {},
  logoutEverywhere: {},
  updateProfile: { body: profileBodySchema },
  updateProfileSigned: { body: signedProfileBodySchema },
  updatePreferences: { body: preferencesBodySchema },
  userReactions: {},
  getReactions: { params: post, query: wallet },
  listReactions: { params: post, query: after },
  addReaction: { params: post, body: reactionBodySchema },
  removeReaction: { params: postAndType },
  addReactionSigned: { params: post, body: signedReactionBodySchema },
  removeReactionSigned: { params: postAndType, body: signedRemovalBodySchema },
  launchToken: { body: launchBodySchema },
  checkToken: { params: post },
  userTokens: {},
  tokenMetadata: { params: mint },
  tokenImage: { params: mint },
  featureWallet: {},
  verifyFeature: { body: verifyFeatureBodySchema },
  featureCredits: {},
  useFeatureCredits: { body: useCreditsBodySchema },
  mediaFile: { params: media },
  mediaPreview: { params: media },
} as const satisfies Record<EndpointName, InputSchemas>;
