import type { z } from 'zod';
import type * as schemas from './schemas/entities.ts';
import type { removalSelectionSchema } from './schemas/operator-schema.ts';

/** ISO 8601 in UTC, with milliseconds. */
export type Instant = string;

/** One saved post as every call answers it. */
export type Post = z.output<typeof schemas.postSchema>;
export type Preview = z.output<typeof schemas.previewSchema>;
export type Reference = z.output<typeof schemas.referenceSchema>;
export type PostMedia = z.output<typeof schemas.mediaSchema>;
export type PostLink = z.output<typeof schemas.linkSchema>;
export type SavedBy = Post['savedBy'];
export type Capture = Post['capture'];
export type ArchivePage = z.output<typeof schemas.archivePageSchema>;
export type ArchiveStats = ArchivePage['stats'];
export type Pagination = ArchivePage['pagination'];
export type Author = z.output<typeof schemas.authorSchema>;
export type Analytics = z.output<typeof schemas.analyticsSchema>;
export type Suggestions = z.output<typeof schemas.suggestionsSchema>;
export type Explore = z.output<typeof schemas.exploreSchema>;
export type TopAuthor = Analytics['topAuthors'][number];
export type TokenLaunch = z.output<typeof schemas.tokenLaunchSchema>;
export type TokenCheck = z.output<typeof schemas.tokenCheckSchema>;
export type LaunchInfo = z.output<typeof schemas.launchInfoSchema>;
export type PublicConfig = z.output<typeof schemas.publicConfigSchema>;
export type IngestReport = z.output<typeof schemas.ingestReportSchema>;
export type IngestResult = IngestReport['results'][number];
export type IngestStatus = IngestResult['status'];
export type PostReactions = z.output<typeof schemas.postReactionsSchema>;
/** One entry in the list of a wallet's reactions, which is newest first. */
export type GivenReaction = z.output<typeof schemas.givenReactionSchema>;
export type ReactionReceipts = z.output<typeof schemas.reactionReceiptsSchema>;
export type User = z.output<typeof schemas.userSchema>;
export type ProfileSettings = User['profileSettings'];
export type Interaction = User['activity']['interactions'][number];
export type FeatureWallet = z.output<typeof schemas.featureWalletSchema>;
export type Credit = z.output<typeof schemas.creditSchema>;
/** How much the server keeps about a wallet. */
export type Account = z.output<typeof schemas.accountSchema>;
export type SavedSearch = z.output<typeof schemas.savedSearchSchema>;
export type Notice = z.output<typeof schemas.noticeSchema>;
export type NoticeSettings = z.output<typeof schemas.noticeSettingsSchema>;
export type Collection = z.output<typeof schemas.collectionSchema>;
export type PaidPost = z.output<typeof schemas.paidPostSchema>;
export type Save = z.output<typeof schemas.saveSchema>;
export type SavePage = z.output<typeof schemas.savePageSchema>;
export type OperatorEntry = z.output<typeof schemas.operatorSchema>;
export type AdminPost = z.output<typeof schemas.adminPostSchema>;
export type ReportedPost = z.output<typeof schemas.reportedPostSchema>;
export type LogEntry = z.output<typeof schemas.logEntrySchema>;
export type Switch = z.output<typeof schemas.switchSchema>;
export type SuspendedWallet = z.output<typeof schemas.suspendedWalletSchema>;
export type FeaturingTerms = z.output<typeof schemas.featuringTermsSchema>;
export type AdminPayment = z.output<typeof schemas.adminPaymentSchema>;
export type RemovalPreview = z.output<typeof schemas.removalPreviewSchema>;
export type Removal = z.output<typeof schemas.removalSchema>;
export type RemovalSelection = z.output<typeof removalSelectionSchema>;
export type AdminKey = z.output<typeof schemas.adminKeySchema>;
export type AdminLaunch = z.output<typeof schemas.adminLaunchSchema>;
export type FieldError = z.output<typeof schemas.fieldErrorSchema>;
export type Problem = z.output<typeof schemas.problemSchema>;
