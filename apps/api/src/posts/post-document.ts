import { createHash } from 'node:crypto';
import { type HiddenFor, type Platform, type Post, platformOf } from '@archive/contracts';
import type { NewPost } from '@archive/contracts/schemas';
import { type ObjectId, Timestamp } from 'mongodb';

/** The database puts its own time in place of this in a document that it inserts or replaces. */
export const BY_DATABASE = new Timestamp(0n);
/** The same for an update. */
export const CHANGED = { changedAt: { $type: 'timestamp' } } as const;

export const NOT_FEATURED = { featured: false, featuredAt: null, featuredBy: null, payee: null } as const;
/** An update: no payment features it any more. */
export const UNFEATURED = { $set: NOT_FEATURED, $unset: { featuredPayment: '' }, $currentDate: CHANGED } as const;

/** A post as MongoDB keeps it. */
export interface PostDocument extends NewPost {
  _id: ObjectId;
  /** `id` and the ids of `aliases`; unique over all posts. */
  ids: string[];
  /** `fingerprintsOf`; unique over all posts. */
  fingerprint: string;
  /** Its first part, where it has a second one: what is sent without an author's id is found by it. */
  words?: string;
  featured: boolean;
  featuredAt: Date | null;
  featuredBy: 'team' | 'payment' | null;
  payee: string | null;
  /** The payment, or the use of credits, that features it. */
  featuredPayment?: string;
  /** The agent key that saved it, where it was one; never shown. */
  savedBy?: string;
  /** Payments whose featuring the team has ended. */
  endedPayments?: string[];
  launched: boolean;
  /** Its platform itself has told it, and who wrote it: only then its author is known. */
  isFromPlatform?: true;
  /** Of its author's picture, where it is kept. */
  avatarSha256?: string;
  /** The platform's id of the first post that is known of the author's own thread it stands in. */
  threadRoot?: string;
  /** What became of it on its platform, where that was looked at. */
  source?: { state: Post['source']['state']; checkedAt: Date };
  /** Of an edited post, oldest first. */
  versions?: { at: Date; content: string }[];
  /** While bytes of its media are missing: when they are fetched again. */
  mediaDueAt?: Date;
  /** Of that time, codes of those whose bytes of the day they use; absent where the archive pays. Never shown. */
  mediaPayers?: string[];
  /** When its platform is asked again what has become of it. */
  lookDueAt?: Date;
  /** The same post sent under other ids, oldest first. */
  aliases?: Alias[];
  createdAt: Date;
  /** Set by the database in the write itself: how other processes find what changed. */
  changedAt: Timestamp;
}

export interface Alias {
  id: string;
  url: string;
  at: Date;
  savedBy?: string;
}

/** What remains of a removed post: enough to say so, and to refuse it when it comes again. */
export interface Tombstone {
  _id: ObjectId;
  ids: string[];
  fingerprint: string;
  words?: string;
  removedAt: Date;
  /** Until its media and its evidence are gone too. */
  emptied?: false;
  /** While it is kept aside: its author took it away, and `lookDueAt` says when its platform is asked again; or it is hidden. */
  sealed?: 'deleted' | 'protected' | 'hidden';
  /** Why operators hide it. */
  hiddenFor?: HiddenFor;
  sealedOn?: Platform;
  lookDueAt?: Date;
  changedAt: Timestamp;
}

/** What names the tombstone of an undone post: nothing but itself, so that the same may be sent again. */
export function undone(_id: ObjectId): Pick<Tombstone, 'ids' | 'fingerprint'> {
  const own = _id.toHexString();
  return { ids: [own], fingerprint: own };
}

/** A post before it is kept. */
export interface NewDocument
  extends NewPost,
    Pick<
      PostDocument,
      | 'avatarSha256'
      | 'threadRoot'
      | 'source'
      | 'versions'
      | 'mediaDueAt'
      | 'mediaPayers'
      | 'lookDueAt'
      | 'isFromPlatform'
      | 'words'
    > {
  /** Where what belongs to it was kept before it. */
  _id?: ObjectId;
  fingerprint: string;
  savedBy?: string;
}

/** What tells whether a post is kept already. */
export interface KnownPost {
  _id: ObjectId;
  ids: string[];
  /** The part of its fingerprint that tells the words. */
  base: string;
  /** Hashed; undefined where its platform has not told it, or a version before removed it. */
  author: string | undefined;
  isRemoved: boolean;
}

export type StoredPost = PostDocument | Tombstone;

export function isRemoved(post: StoredPost): post is Tombstone {
  return 'removedAt' in post;
}

/** Whether it is an id of ours; a platform's may have any other form. */
export function isObjectId(id: string): boolean {
  return /^[0-9a-fA-F]{24}$/.test(id);
}

/** What tells a post by its words. */
export interface Fingerprints {
  /** The value that is kept, unique over all posts. */
  own: string;
  /** Without the author: those of removed posts that refuse it. An earlier version knew the words alone. */
  refused: string[];
}

/**
 * Equal for posts with the same content, author and handle, and for no others: 132 bits of SHA-256. Where a post quotes
 * one or shows something, or is of Bluesky, platform, quote and media are told apart too: two that say "gm" of different
 * posts, or to different pictures, are two. Where the platform has told the author's id, it follows after a dot: display
 * names and handles can be copied.
 */
export function fingerprintsOf(post: FingerprintSource): Fingerprints {
  const { content, author, authorUsername, url, quoted, media = [] } = post;
  const words = digest([content, author, authorUsername]);
  const platform = platformOf(url);
  const known = authorOf(post);
  const ownOf = (base: string) => (known === undefined ? base : `${base}.${known}`);
  if (platform !== 'bluesky' && !quoted && media.length === 0) return { own: ownOf(words), refused: [words] };
  const parts = [content, author, authorUsername, platform, quoted ? `${quoted.platform} ${quoted.id}` : null];
  const base = digest(media.length > 0 ? [...parts, media.map(({ key }) => key)] : parts);
  return { own: ownOf(base), refused: [base, words] };
}

type FingerprintSource = Pick<
  NewDocument,
  'content' | 'author' | 'authorUsername' | 'url' | 'quoted' | 'media' | 'authorId' | 'isFromPlatform'
>;

/** Hashed, where the platform itself has told it. */
export function authorOf({
  isFromPlatform,
  authorId,
  url,
}: Partial<Pick<PostDocument, 'isFromPlatform' | 'authorId' | 'url'>>): string | undefined {
  return isFromPlatform && authorId && url ? digest([platformOf(url), authorId]) : undefined;
}

/** The part of a fingerprint that tells the words, and the one that tells the author. */
export function partsOf(fingerprint: string): { base: string; author: string | undefined } {
  const [base = fingerprint, author] = fingerprint.split('.');
  return { base, author };
}

/** What tells a post apart, as it is kept. */
export function named<Given extends { fingerprint: string }>(given: Given): Given & { words?: string } {
  const { base, author } = partsOf(given.fingerprint);
  return { ...given, ...(author !== undefined && { words: base }) };
}

function digest(parts: unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
}
