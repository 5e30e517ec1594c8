import { createHash } from 'node:crypto';
import { type HiddenFor, type Platform, type Post, platformOf } from '@archive/contracts';
import type { NewPost } from '@archive/contracts/schemas';
import { type ObjectId, Timestamp } from 'mongodb';

/** Placeholder in an inserted or replaced document; the database puts its own time in its place. */
export const BY_DATABASE = new Timestamp(0n);
/** `$currentDate` operand that sets the same stamp in an update. */
export const CHANGED = { changedAt: { $type: 'timestamp' } } as const;

export const NOT_FEATURED = { featured: false, featuredAt: null, featuredBy: null, payee: null } as const;
/** Update that ends the featuring of a post. */
export const UNFEATURED = { $set: NOT_FEATURED, $unset: { featuredPayment: '' }, $currentDate: CHANGED } as const;

export interface PostDocument extends NewPost {
  _id: ObjectId;
  /** `id` and the ids of `aliases`; unique over all posts. */
  ids: string[];
  /** Result of `fingerprintsOf`; unique over all posts. */
  fingerprint: string;
  /** The first part of a two-part fingerprint. It finds the post for a sender that gives no author id. */
  words?: string;
  featured: boolean;
  featuredAt: Date | null;
  featuredBy: 'team' | 'payment' | null;
  payee: string | null;
  /** The payment, or the use of credits, that features the post. */
  featuredPayment?: string;
  /** The agent key that saved the post, if one did; never shown. */
  savedBy?: string;
  /** Payments whose featuring the team has ended. */
  endedPayments?: string[];
  launched: boolean;
  /** The platform itself has told the post and its author. Only then the author is verified. */
  isFromPlatform?: true;
  /** SHA-256 of our copy of the author's picture, if it is kept. */
  avatarSha256?: string;
  /** Platform id of the first known post of the author's thread that holds this post. */
  threadRoot?: string;
  /** State of the post on its platform, if it was checked. */
  source?: { state: Post['source']['state']; checkedAt: Date };
  /** Versions of an edited post, oldest first. */
  versions?: { at: Date; content: string }[];
  /** When missing media bytes are fetched again; absent if no bytes are missing. */
  mediaDueAt?: Date;
  /** Codes of the payers whose daily allowance that fetch uses; absent if the archive pays. Never shown. */
  mediaPayers?: string[];
  /** When the platform is next asked for the state of the post. */
  lookDueAt?: Date;
  /** The same post under other ids, oldest first. */
  aliases?: Alias[];
  createdAt: Date;
  /** Stamp that the database sets in each write. Other processes find changes by it. */
  changedAt: Timestamp;
}

export interface Alias {
  id: string;
  url: string;
  at: Date;
  savedBy?: string;
}

/** What remains of a removed post: enough to say that it was removed, and to refuse it if it is sent again. */
export interface Tombstone {
  _id: ObjectId;
  ids: string[];
  fingerprint: string;
  words?: string;
  removedAt: Date;
  /** Present until the media and the evidence of the post are deleted too. */
  emptied?: false;
  /**
   * Present while the post is kept aside. If the author took it away, `lookDueAt` says when the platform is asked
   * again.
   */
  sealed?: 'deleted' | 'protected' | 'hidden';
  /** Why operators hide the post. */
  hiddenFor?: HiddenFor;
  sealedOn?: Platform;
  lookDueAt?: Date;
  changedAt: Timestamp;
}

/**
 * The key fields of the tombstone of an undone post. They hold only its own id, so that the same post may be sent
 * again.
 */
export function undone(_id: ObjectId): Pick<Tombstone, 'ids' | 'fingerprint'> {
  const own = _id.toHexString();
  return { ids: [own], fingerprint: own };
}

/** A post before it is stored. */
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
  /** Given if data of the post was stored under this `_id` before the post. */
  _id?: ObjectId;
  fingerprint: string;
  savedBy?: string;
}

/** What decides whether a post is already kept. */
export interface KnownPost {
  _id: ObjectId;
  ids: string[];
  /** The part of the fingerprint that stands for the text. */
  base: string;
  /**
   * Hash of the author; undefined if the platform has not told the post, or if an earlier version of the software
   * removed it.
   */
  author: string | undefined;
  isRemoved: boolean;
}

export type StoredPost = PostDocument | Tombstone;

export function isRemoved(post: StoredPost): post is Tombstone {
  return 'removedAt' in post;
}

/** Whether the text is an `_id` of ours; platform ids may have any other form. */
export function isObjectId(id: string): boolean {
  return /^[0-9a-fA-F]{24}$/.test(id);
}

/** Fingerprints that identify a post by its text. */
export interface Fingerprints {
  /** The stored value, unique over all posts. */
  own: string;
  /**
   * Fingerprints without the author. A removed post with one of these refuses the post. An earlier version used the
   * text alone.
   */
  refused: string[];
}

/**
 * Equal for posts with the same content, author and handle, and for no others: 132 bits of SHA-256. Platform, quoted
 * post and media are included if the post quotes a post, has media or is on Bluesky. So two posts that say "gm" about
 * different posts or with different pictures stay separate. The author id follows after a dot if the platform has told
 * it, because display names and handles can be copied.
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

/** Hash of the author id; undefined if the platform itself has not told it. */
export function authorOf({
  isFromPlatform,
  authorId,
  url,
}: Partial<Pick<PostDocument, 'isFromPlatform' | 'authorId' | 'url'>>): string | undefined {
  return isFromPlatform && authorId && url ? digest([platformOf(url), authorId]) : undefined;
}

/** Splits a fingerprint into its text part and its author part. */
export function partsOf(fingerprint: string): { base: string; author: string | undefined } {
  const [base = fingerprint, author] = fingerprint.split('.');
  return { base, author };
}

/** Adds the `words` field to a document that has a fingerprint. */
export function named<Given extends { fingerprint: string }>(given: Given): Given & { words?: string } {
  const { base, author } = partsOf(given.fingerprint);
  return { ...given, ...(author !== undefined && { words: base }) };
}

function digest(parts: unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
}
