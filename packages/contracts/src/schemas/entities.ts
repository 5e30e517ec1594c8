import { z } from 'zod';
import { MATCHES } from '../archive-query.ts';
import { CATEGORIES } from '../categories.ts';
import { ERROR_STATUS, type ErrorCode } from '../errors.ts';
import { CREDIT_REASONS, PAYMENT_LIST_STATES } from '../featuring.ts';
import { LAUNCH_PLATFORMS, LAUNCH_STATUSES } from '../launches.ts';
import { NEW_POSTS_COUNTED, PREVIEW_LENGTH, TREND_MONTHS } from '../limits.ts';
import { NOTICE_KINDS } from '../notices.ts';
import { ACTOR_KINDS, KEY_SCOPES, ROLES, SWITCHES } from '../operators.ts';
import { PLATFORMS } from '../platforms.ts';
import { CAPTURE_METHODS, MEDIA_TYPES, REFERENCE_STATES, SOURCE_STATES, WAYS_IN } from '../provenance.ts';
import { REACTION_TYPES } from '../reactions.ts';
import { HIDDEN_FOR, POST_STATES, REPORT_REASONS, REPORT_STATES } from '../reports.ts';
import { SAVE_REASONS, SAVE_STATES, type SaveReason } from '../saves.ts';
import { THEMES } from '../users.ts';
import { EXAMPLE_ARCHIVE, EXAMPLE_LAUNCH, EXAMPLE_PROBLEM } from './examples.ts';

const count = z.int().nonnegative();
const postId = z
  .string()
  .regex(/^[0-9a-f]{24}$/)
  .describe('A post’s `_id`: 24 hex digits, given by the archive.');
export const paginationSchema = z.strictObject({ page: count, limit: count, total: count, pages: count });
const hexId = z.string().regex(/^[0-9a-f]{24}$/);
const reactionType = z.enum(REACTION_TYPES);

/** ISO 8601 in UTC, with milliseconds. */
export const instantSchema = z
  .string()
  .regex(/^-?\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  .meta({ format: 'date-time' });

export const reactionCountsSchema = z
  .strictObject({ heart: count, thumbsUp: count, thumbsDown: count })
  .meta({ id: 'ReactionCounts' });

const platform = z.enum(PLATFORMS);

/** A picture or video of a post. Its addresses are on this server. */
export const mediaSchema = z
  .strictObject({
    type: z.enum(MEDIA_TYPES),
    url: z.string().nullable().describe('`/media/<sha256>`; null while it is missing.'),
    preview: z
      .string()
      .nullable()
      .describe('A WebP of it, or of its poster, at most 680 px wide; null where there is none.'),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .nullable(),
    width: count.nullable().describe('In pixels, as it is shown.'),
    height: count.nullable(),
    alt: z.string().nullable().describe('What its author says it shows.'),
    durationMs: count.nullable(),
    thumbhash: z.string().nullable().describe('Base64: what stands there until the preview is loaded.'),
    missing: z.boolean().describe('Whether its bytes are not kept here, or not yet.'),
  })
  .meta({ id: 'Media' });

/** The part of a kept post that is shown within another post. */
export const previewSchema = z
  .strictObject({
    _id: postId,
    id: z.string(),
    content: z.string().describe(`The first ${PREVIEW_LENGTH} characters.`),
    author: z.string(),
    authorUsername: z.string(),
    authorAvatar: z.string().nullable(),
    timestamp: instantSchema,
    url: z.string(),
    media: z.array(mediaSchema).describe('The first of it alone; of a sensitive post none.'),
  })
  .meta({ id: 'Preview' });

/** A post that another one answers or quotes. */
export const referenceSchema = z
  .strictObject({
    platform,
    id: z.string().describe('The platform’s own id.'),
    url: z.string(),
    archiveId: postId.nullable().describe('Its `_id` where it is kept too.'),
    state: z.enum(REFERENCE_STATES),
    post: previewSchema.nullable().describe('What is kept of it, as it is kept now.'),
  })
  .meta({ id: 'Reference' });

export const linkSchema = z
  .strictObject({
    start: count.describe('In code points of `content`.'),
    end: count,
    url: z.string(),
    title: z.string().nullable(),
  })
  .meta({ id: 'Link' });

/** One saved post as every call answers it. */
export const postSchema = z
  .strictObject({
    _id: postId,
    id: z.string().describe('The platform’s own id: 1 to 64 of A-Z a-z 0-9 _ -; text, since it may exceed 2^53.'),
    content: z.string(),
    author: z.string(),
    authorUsername: z.string().describe('Without the leading @.'),
    authorAvatar: z.string().nullable(),
    category: z.enum(CATEGORIES).nullable(),
    timestamp: instantSchema,
    url: z.string(),
    featured: z.boolean(),
    featuredAt: instantSchema.nullable(),
    featuredBy: z.enum(['team', 'payment']).nullable(),
    payee: z.string().nullable().describe('The wallet that paid for the featuring.'),
    launched: z.boolean(),
    reactions: reactionCountsSchema,
    metadata: z.record(z.string(), z.unknown()),
    platform,
    authorId: z.string().nullable().describe('The platform’s own id of the author, which outlives a change of handle.'),
    language: z.string().nullable().describe('BCP 47.'),
    links: z.array(linkSchema).describe('Where words of `content` lead; mentions and hashtags are not among them.'),
    sensitive: z.boolean(),
    media: z.array(mediaSchema),
    replyTo: referenceSchema.nullable(),
    quoted: referenceSchema.nullable(),
    thread: z
      .strictObject({
        root: postId.describe('The first of it that is kept.'),
        position: count.describe('From 1.'),
        length: count.describe('How many of it are kept.'),
      })
      .nullable()
      .describe('Where it stands among the posts with which its author goes on; null where it stands alone.'),
    source: z
      .strictObject({ state: z.enum(SOURCE_STATES), checkedAt: instantSchema.nullable() })
      .describe('What became of it on its platform.'),
    versions: z
      .array(z.strictObject({ at: instantSchema, content: z.string() }))
      .describe('Of an edited post, oldest first; what is shown is what was asked for.'),
    savedAt: instantSchema.describe('When it came into the archive.'),
    savedBy: z
      .strictObject({
        via: z.enum(WAYS_IN),
        platform: platform.optional(),
        handle: z.string().optional(),
        url: z.string().optional(),
      })
      .describe('How it came, and who asked for it where somebody did.'),
    capture: z
      .strictObject({
        method: z.enum(CAPTURE_METHODS),
        complete: z.boolean().describe('Whether everything was kept that the source tells of it.'),
        signed: z.boolean().describe('Whether its author’s signature is kept with it.'),
      })
      .describe('What it was taken from.'),
  })
  .meta({ id: 'Archive', examples: [EXAMPLE_ARCHIVE] });

/** One token of one post. Fields about the chain are null until the launch is signed. */
export const tokenLaunchSchema = z
  .strictObject({
    amberId: postId,
    name: z.string(),
    symbol: z.string(),
    description: z.string().describe('The beginning of the post’s text.'),
    mint: z.string().nullable(),
    transaction: z.string().nullable().describe('Signature of the transaction on the chain.'),
    pumpfunUrl: z.string().nullable().describe('On the platform pump.fun alone.'),
    solscanUrl: z.string().nullable().describe('Null on a local network, which no explorer sees.'),
    solscanTokenUrl: z.string().nullable(),
    createdAt: instantSchema,
    status: z.enum(LAUNCH_STATUSES),
    author: z.string().optional().describe('Who wrote the post; only where launches of several posts are answered.'),
  })
  .meta({ id: 'TokenLaunch', examples: [EXAMPLE_LAUNCH] });

export const archivePageSchema = z
  .strictObject({
    data: z.array(postSchema),
    stats: z.strictObject({
      total: count,
      authors: count.describe('Handles, without regard to case.'),
      recent: count.describe('Posts whose timestamp lies in the last 7 x 24 hours.'),
    }),
    pagination: z.strictObject({
      page: count,
      limit: count,
      total: count.describe('Posts that match, the featured one included.'),
      pages: count.describe('Pages of `data`.'),
      next: z
        .string()
        .nullable()
        .describe(
          'The `cursor` of what follows. Null after a page that is not full: none follows. After a last page that is full, an empty one does.',
        ),
    }),
    match: z.enum(MATCHES).describe('How `search` was meant.'),
    featured: postSchema.nullable().describe('The most recently featured post among the matches, on page 1 only.'),
    lastLaunch: tokenLaunchSchema.nullable(),
  })
  .meta({ id: 'ArchivePage' });

const activeAuthor = z.strictObject({ author: z.string(), username: z.string(), avatar: z.string().nullable(), count });

export const suggestionsSchema = z
  .strictObject({
    authors: z.array(activeAuthor).describe('Those of most posts first.'),
    words: z.array(z.string()).describe('Of the newest posts, folded as for searching; those in most of them first.'),
  })
  .meta({ id: 'Suggestions' });

export const analyticsSchema = z
  .strictObject({
    topAuthors: z.array(activeAuthor),
    contentTrends: z.array(z.strictObject({ category: z.enum(CATEGORIES).nullable(), count })),
    timeTrends: z.array(z.strictObject({ date: z.iso.date(), count })).describe('The last 30 UTC days, oldest first.'),
  })
  .meta({ id: 'Analytics' });

const date = z.iso.date();

export const exploreSchema = z
  .strictObject({
    total: count,
    authors: count,
    keptSince: instantSchema.nullable().describe('When the first of its posts came; null while there is none.'),
    writtenSince: z
      .string()
      .regex(/^\d{4}-\d\d$/)
      .nullable()
      .describe('The UTC month of the oldest post, as the posts say; null in an empty archive.'),
    months: z
      .array(z.string().regex(/^\d{4}-\d\d$/))
      .describe(
        `UTC months that have posts of a category, oldest first, at most the last ${TREND_MONTHS}; this month has not ended.`,
      ),
    categories: z
      .array(z.strictObject({ category: z.enum(CATEGORIES), count, months: z.array(count) }))
      .describe('Those of most posts first: all of them, and those of each of `months`.'),
    uncategorized: count,
    activeAuthors: z.array(activeAuthor).describe('Those of most posts first.'),
    newAuthors: z
      .array(activeAuthor.extend({ platform, since: instantSchema }))
      .describe('Those whose first post came last; `since` says when.'),
    languages: z
      .array(z.strictObject({ language: z.string(), count }))
      .describe('Two or three letters each; those of most posts first.'),
    withoutLanguage: count,
    week: z
      .strictObject({ from: date, to: date, posts: z.array(postSchema) })
      .describe('The last seven UTC days, today among them, and the posts of these days with most reactions.'),
    onThisDay: z
      .strictObject({
        day: date.describe('Today, in UTC.'),
        count: count.describe('Posts of this day in all other years.'),
        years: z.array(z.strictObject({ day: date, count, post: postSchema })),
      })
      .describe('Posts of the same day in the latest other years, one of each.'),
  })
  .meta({ id: 'Explore' });

export const authorSchema = z
  .strictObject({
    author: z.string().describe('The name on the newest post.'),
    username: z.string(),
    avatar: z.string().nullable(),
    posts: count,
    reactions: count.describe('Of all kinds, to all posts.'),
    first: instantSchema.describe('When the oldest post was written.'),
    last: instantSchema,
    platforms: z
      .array(z.strictObject({ platform: z.enum(PLATFORMS), count }))
      .describe('Where the posts were written, most first. The same handle elsewhere may be somebody else’s.'),
    categories: z.array(z.strictObject({ category: z.enum(CATEGORIES).nullable(), count })).describe('Most first.'),
  })
  .meta({ id: 'Author' });

export const launchInfoSchema = postSchema
  .extend({
    launch_platform: z.string().nullable(),
    contract_address: z.string().nullable(),
  })
  .meta({ id: 'LaunchInfo' });

/** The server settings that a browser needs and may know. */
export const publicConfigSchema = z
  .strictObject({
    name: z.string(),
    network: z.string(),
    rpcUrl: z.string().nullable(),
    agentHandle: z.string().describe('Without the leading @.'),
    agents: z
      .array(z.strictObject({ platform, handle: z.string() }))
      .describe('Accounts that save what they are asked for; empty where none is at work.'),
    readable: z.array(platform).describe('Platforms whose posts can be saved by their link.'),
    tokenTicker: z.string(),
    launchInfoId: z.string().nullable(),
    launchPlatform: z
      .enum(LAUNCH_PLATFORMS)
      .nullable()
      .optional()
      .describe('Where tokens are launched, or null while nobody can launch any.'),
    avatarHosts: z.array(z.string()).describe('Hosts from which avatars are shown, over https alone.'),
    pushKey: z
      .string()
      .nullable()
      .describe('With which a browser asks for pushes (base64url); null: nothing is pushed.'),
    domain: z.string().describe('Names the site in signed messages, e.g. `localhost:4000`.'),
  })
  .meta({ id: 'PublicConfig' });

export const ingestReportSchema = z
  .strictObject({
    created: count,
    duplicates: count,
    invalid: count,
    results: z.array(
      z.strictObject({
        index: count,
        id: z.string().nullable().describe('The platform id as sent, where there was one.'),
        status: z.enum(['created', 'duplicate', 'invalid']),
        message: z.string().optional(),
      }),
    ),
  })
  .meta({ id: 'IngestReport' });

export const postReactionsSchema = reactionCountsSchema
  .extend({ userReactions: z.array(reactionType) })
  .meta({ id: 'PostReactions' });

export const givenReactionSchema = z
  .strictObject({
    archiveId: postId,
    reactionType,
    createdAt: instantSchema,
    archive: postSchema,
  })
  .meta({ id: 'GivenReaction' });

export const reactionReceiptsSchema = z
  .strictObject({
    data: z.array(z.strictObject({ walletAddress: z.string(), reactionType, createdAt: instantSchema })),
    next: z.string().nullable().describe('The `after` of the next page; null on the last.'),
  })
  .meta({ id: 'ReactionReceipts' });

export const preferencesSchema = z
  .strictObject({ notifications: z.boolean(), theme: z.enum(THEMES) })
  .meta({ id: 'Preferences' });

export const userSchema = z
  .strictObject({
    _id: z.string(),
    walletAddress: z.string(),
    profileSettings: z.strictObject({ displayName: z.string(), avatar: z.string().nullable(), bio: z.string() }),
    preferences: preferencesSchema,
    activity: z
      .strictObject({
        interactions: z.array(
          z.strictObject({
            type: z.enum([...REACTION_TYPES, 'launch', 'feature']),
            archiveId: postId,
            at: instantSchema,
          }),
        ),
      })
      .describe('The latest 100, newest first.'),
    createdAt: instantSchema,
  })
  .meta({ id: 'User' });

/** Fields of a Sign-In With Solana message: the input of a wallet's `signIn`, without the address. */
export const signInSchema = z
  .strictObject({
    domain: z.string(),
    statement: z.string(),
    uri: z.string(),
    version: z.literal('1'),
    chainId: z.string(),
    nonce: z.string(),
    issuedAt: z.string(),
    expirationTime: z.string(),
  })
  .meta({ id: 'SignInInput' });

/** Where a payment goes and how much it is. No wallet can pay while `enabled` is false. */
export const featureWalletSchema = z
  .strictObject({
    wallet: z.string().nullable().describe('The wallet that is paid, base58; null while none is configured.'),
    mintAddress: z.string().nullable(),
    featurePrice: z.string().describe('In tokens, as a decimal string.'),
    decimals: count.describe('The mint’s own decimals.'),
    network: z.string(),
    enabled: z.boolean(),
    stopped: z.boolean().describe('By the operators, for now: what is sent meanwhile becomes a credit.'),
  })
  .meta({ id: 'FeatureWallet' });

/** A payment that arrived but could not be applied. Its payer can use it to feature another post. */
export const creditSchema = z
  .strictObject({
    _id: z.string(),
    baseUnits: z.string().regex(/^\d+$/).describe('An integer string in base units of the token.'),
    reason: z.enum(CREDIT_REASONS),
    transaction: z.string().describe('Signature of the payment.'),
    createdAt: instantSchema,
    usedOn: z.string().nullable().describe('`_id` of the post it was used for.'),
    usable: z.boolean().describe('Whether its payment is final, so that it can be used.'),
  })
  .meta({ id: 'Credit' });

/** How much the server keeps about a wallet. */
export const accountSchema = z
  .strictObject({
    walletAddress: z.string(),
    createdAt: instantSchema.nullable().describe('Of its first sign-in; null where nothing of a profile is kept.'),
    reactions: count,
    savedSearches: count,
    collections: count,
    saves: count.describe('Requests to save a post.'),
    browsers: count.describe('That notices are pushed to.'),
    sessions: count,
    payments: count.describe('They stay when the account is deleted.'),
    launches: count.describe('They stay when the account is deleted.'),
  })
  .meta({ id: 'Account' });

/** A search that a wallet follows. */
export const savedSearchSchema = z
  .strictObject({
    _id: hexId,
    name: z.string(),
    query: z.string().describe('Filters, as in the address of a list.'),
    createdAt: instantSchema,
    seenAt: instantSchema.describe('What came after this is new.'),
    newPosts: count.describe(`Counted up to ${NEW_POSTS_COUNTED}; one more means that there are more.`),
  })
  .meta({ id: 'SavedSearch' });

/** An event that concerns the wallet. */
export const noticeSchema = z
  .strictObject({
    _id: z.string().describe('The same as long as it tells the same.'),
    kind: z.enum(NOTICE_KINDS),
    at: instantSchema,
    isNew: z.boolean().describe('Since they were last read.'),
    search: z.strictObject({ _id: hexId, name: z.string(), query: z.string(), newPosts: count }).nullable(),
    post: z.strictObject({ _id: hexId, content: z.string() }).nullable().describe('Null where there is none any more.'),
    token: z.strictObject({ name: z.string(), symbol: z.string() }).nullable(),
    reason: z.string().nullable().describe('Why a request to save failed, or a payment is a credit.'),
  })
  .meta({ id: 'Notice' });

export const browserId = z.string().describe('SHA-256 of its endpoint, hexadecimal.');

/** The kinds of notices that a wallet wants, and where. */
export const noticeSettingsSchema = z
  .strictObject({
    page: z.array(z.enum(NOTICE_KINDS)).describe('Kinds that the page tells.'),
    push: z.array(z.enum(NOTICE_KINDS)).describe('Kinds that are pushed to its browsers.'),
    browsers: z.array(browserId),
  })
  .meta({ id: 'NoticeSettings' });

/** A named list of posts. */
export const collectionSchema = z
  .strictObject({
    _id: hexId,
    name: z.string(),
    isPublic: z.boolean(),
    isOwn: z.boolean().describe('Whether it is that of the session’s wallet.'),
    posts: count,
    cover: z.array(z.string()).max(3).describe('Previews of the pictures that came in last.'),
    createdAt: instantSchema,
    changedAt: instantSchema,
  })
  .meta({ id: 'Collection' });

/** A payment for featuring, and its outcome. */
export const paidPostSchema = z
  .strictObject({
    transaction: z.string().describe('Signature of the payment; of credits that were used, of the first of them.'),
    baseUnits: z.string().regex(/^\d+$/).describe('An integer string in base units of the token.'),
    mint: z.string().nullable(),
    at: instantSchema,
    archiveId: hexId.nullable(),
    content: z.string().nullable().describe('Null where the post is gone.'),
    state: z.enum(['featured', 'ended', 'removed', 'credit', 'pending']),
  })
  .meta({ id: 'PaidPost' });

/** A request to save a post, as shown to the public. */
export const saveSchema = z
  .strictObject({
    _id: postId.describe('24 hex digits.'),
    platform,
    url: z.string().describe('Of the post that is asked for.'),
    via: z.enum(WAYS_IN),
    state: z.enum(SAVE_STATES),
    reason: z
      .enum(Object.keys(SAVE_REASONS) as [SaveReason, ...SaveReason[]])
      .nullable()
      .describe('Why it failed.'),
    archiveId: postId.nullable().describe('`_id` of the post that was saved, or is kept already.'),
    createdAt: instantSchema,
    endsAt: instantSchema.describe('Until then it has ended, one way or another.'),
  })
  .meta({ id: 'Save' });

export const savePageSchema = z
  .strictObject({
    data: z.array(saveSchema).describe('Newest first.'),
    pagination: paginationSchema,
  })
  .meta({ id: 'SavePage' });

const errorCode = z.enum(Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]]);

export const tokenCheckSchema = z
  .strictObject({
    exists: z.boolean().describe('Whether the token is on the chain.'),
    tokenLaunch: tokenLaunchSchema
      .nullable()
      .describe('The launch that holds the post, under way or on the chain; null where the post can be launched.'),
    failure: z
      .strictObject({ status: z.enum(['failed', 'expired']), message: z.string() })
      .nullable()
      .describe('How the last try ended where it came to nothing, in a sentence for a person.'),
    refusal: z
      .strictObject({ code: errorCode, message: z.string() })
      .nullable()
      .describe('Why a free post cannot be launched now, by anybody or by the session’s wallet.'),
  })
  .meta({ id: 'TokenCheck' });

export const fieldErrorSchema = z.strictObject({
  path: z.string().describe('Name of the parameter, or a dotted path into the body.'),
  message: z.string(),
});

/** Body of every error answer: RFC 9457, plus fields that the web shows and that help to find the log entry. */
export const problemSchema = z
  .strictObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    message: z.string().describe('The sentence to show a person; equals `detail`.'),
    code: errorCode,
    requestId: z.string(),
    errors: z.array(fieldErrorSchema).optional(),
    credit: creditSchema.optional().describe('What became of a payment that could not be applied.'),
  })
  .meta({ id: 'Problem', examples: [EXAMPLE_PROBLEM] });

export const roleSchema = z.enum(ROLES).meta({ id: 'Role' });

export const operatorSchema = z
  .strictObject({
    wallet: z.string(),
    role: roleSchema,
    madeBy: z.string().nullable().describe('The wallet or `command line` that made a moderator; null: the settings.'),
    createdAt: instantSchema.nullable(),
  })
  .meta({ id: 'Operator' });

const states = z.record(z.string(), z.json()).nullable();

export const logEntrySchema = z
  .strictObject({
    seq: z.int().positive().describe('Its place in the log, from 1.'),
    at: instantSchema,
    actor: z.strictObject({ kind: z.enum(ACTOR_KINDS), id: z.string().nullable() }),
    act: z.string(),
    subject: z.strictObject({ kind: z.string(), id: z.string() }),
    before: states.describe('Ids, states and hashes of before; never words of a post.'),
    after: states,
    reason: z.string().nullable(),
    requestId: z.string().nullable(),
    previous: z.string().describe('The mark of the entry before; empty of the first.'),
  })
  .meta({ id: 'LogEntry' });

export const switchSchema = z
  .strictObject({
    name: z.enum(SWITCHES),
    isStopped: z.boolean(),
    by: z.string().nullable(),
    reason: z.string().nullable(),
    changedAt: instantSchema.nullable(),
  })
  .meta({ id: 'Switch' });

export const suspendedWalletSchema = z
  .strictObject({ wallet: z.string(), by: z.string(), reason: z.string().nullable(), since: instantSchema })
  .meta({ id: 'SuspendedWallet' });

export const featuringTermsSchema = z
  .strictObject({
    mint: z.string(),
    price: z.string().describe('In tokens, as a decimal string.'),
    configuredPrice: z.string().describe('By the settings.'),
    isSet: z.boolean().describe('Whether an operator set the price, which then wins over the settings.'),
  })
  .meta({ id: 'FeaturingTerms' });

export const adminPaymentSchema = z
  .strictObject({
    _id: z.string().describe('The transaction’s signature; of what was left of credits, no signature.'),
    state: z.enum(PAYMENT_LIST_STATES),
    payer: z.string(),
    mint: z.string().nullable(),
    baseUnits: z.string().regex(/^\d+$/),
    reason: z.enum(CREDIT_REASONS).nullable(),
    archiveId: postId.nullable().describe('The post it was for.'),
    usedOn: postId.nullable(),
    isFinal: z.boolean(),
    createdAt: instantSchema,
    refund: z.strictObject({ transaction: z.string(), at: instantSchema }).nullable(),
  })
  .meta({ id: 'AdminPayment' });

export const removalPreviewSchema = z
  .strictObject({
    count: count.describe('Posts; to be sent with the confirmation.'),
    aliases: count.describe('Of a key: posts of others whose other ids go.'),
    featured: count.describe('Of them, featured for a payment.'),
    launched: count.describe('Of them, with a token.'),
    sample: z.array(z.strictObject({ _id: postId, id: z.string(), authorUsername: z.string(), content: z.string() })),
  })
  .meta({ id: 'RemovalPreview' });

export const removalSchema = z
  .strictObject({
    _id: hexId,
    state: z.enum(['running', 'done']),
    total: count,
    done: count,
    createdAt: instantSchema,
    endedAt: instantSchema.nullable(),
  })
  .meta({ id: 'Removal' });

export const adminKeySchema = z
  .strictObject({
    _id: z.string(),
    name: z.string(),
    scopes: z.array(z.enum(KEY_SCOPES)),
    postsPerMinute: count.nullable().describe('Its own limit; null: everybody’s.'),
    createdAt: instantSchema,
    expiresAt: instantSchema.nullable(),
    revokedAt: instantSchema.nullable(),
  })
  .meta({ id: 'AdminKey' });

export const adminLaunchSchema = z
  .strictObject({
    archiveId: postId,
    state: z.enum(LAUNCH_STATUSES),
    wallet: z.string(),
    name: z.string(),
    symbol: z.string(),
    mint: z.string(),
    transaction: z.string().nullable(),
    attempt: count,
    failure: z.string().nullable(),
    createdAt: instantSchema,
    changedAt: instantSchema,
  })
  .meta({ id: 'AdminLaunch' });
export const reportStateSchema = z.enum(REPORT_STATES).meta({ id: 'ReportState' });

/** A post as operators see it; hidden posts are complete. */
export const adminPostSchema = z
  .strictObject({
    post: postSchema.nullable().describe('Null where it was removed for good.'),
    state: z.enum(POST_STATES),
    hiddenFor: z.enum(HIDDEN_FOR).nullable(),
    author: z
      .strictObject({ shown: z.int(), hidden: z.int() })
      .nullable()
      .describe('Posts under the same handle; null while the archive starts.'),
  })
  .meta({ id: 'AdminPost' });

const decisionSchema = z.strictObject({
  act: z.enum(['hide', 'dismiss', 'remove']),
  by: z.string().describe('A wallet’s address, or `command line`.'),
  at: instantSchema,
  reason: z.string().nullable(),
  answer: z.string().nullable(),
});

export const reportedPostSchema = z
  .strictObject({
    _id: z.string().describe('Of the post.'),
    state: z.enum(['open', 'done']),
    round: z.int().describe('Of its decisions, for `seen`.'),
    reason: z.enum(REPORT_REASONS).describe('The gravest.'),
    counts: z.partialRecord(z.enum(REPORT_REASONS), z.int()),
    networks: z.int().describe('From which it was reported.'),
    firstAt: instantSchema,
    isHiddenByReports: z.boolean().describe('Hidden by their number, until somebody looks.'),
    reports: z
      .array(
        z.strictObject({
          name: z.string(),
          reason: z.enum(REPORT_REASONS),
          words: z.string(),
          contact: z.string(),
          createdAt: instantSchema,
        }),
      )
      .describe('Those of this round that were kept, the latest.'),
    post: postSchema.nullable(),
    postState: z.enum(POST_STATES),
    hiddenFor: z.enum(HIDDEN_FOR).nullable(),
    decision: decisionSchema.nullable(),
  })
  .meta({ id: 'ReportedPost' });
