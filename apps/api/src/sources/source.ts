import type { Platform, SaveReason } from '@archive/contracts';
import type { NewPost } from '@archive/contracts/schemas';

export type SourcePlatform = Exclude<Platform, 'other'>;

/** One post on its platform. */
export interface Target {
  platform: SourcePlatform;
  /** The id under which the post is kept here. */
  id: string;
  /** The platform's own name of the post: digits on X, an `at://` address on Bluesky. */
  address: string;
  /** The web address of the post. */
  url: string;
}

/** A post as its platform tells it. */
export interface FetchedPost {
  target: Target;
  post: NewPost & { authorId: string };
  /** On Bluesky, the hash of the record's bytes. */
  cid?: string;
  /** The part of the platform's answer about this post, as JSON. Kept as evidence and never shown. */
  raw: Uint8Array;
  /** Earlier texts of an edited post, oldest first. */
  versions?: { at: Date; content: string }[];
  /** The record with its author's verified signature, and the key that verified it. */
  signed?: { car: Uint8Array; key: string; did: string };
  /** The first known post of the author's thread; the post itself if it is the first of several. */
  threadRoot?: { id: string };
  /** Address of the author's picture. */
  avatar?: string;
  /** Size in bytes that the record states for each picture, by media key. */
  sizes?: Record<string, number>;
  /** Addresses of the media's bytes on the author's own server, by media key. */
  blobs?: Record<string, BlobAddress>;
}

/**
 * Bytes on an author's own server, which must match their CID. If they are unavailable, the platform's copy is used.
 */
export interface BlobAddress {
  url: string;
  cid: string;
  /** The size that the author's record states; a longer file is a different blob. */
  size?: number | undefined;
}

/**
 * A post with the posts that are kept with it: quoted posts, the author's own posts before it, and the thread if asked
 * for.
 */
export interface Fetched {
  asked: FetchedPost;
  others: FetchedPost[];
}

export interface FetchOptions {
  thread: boolean;
  payer?: string | undefined;
}

/** The readable posts of a platform. Every call may fail with `SourceRefusal` or `SourceTrouble`. */
export interface Source {
  readonly platform: SourcePlatform;
  /** The post that a link names; null if it names no post of this platform. Handles are looked up. */
  resolve(link: string, signal: AbortSignal): Promise<Target | null>;
  /** `payer` is charged if the platform charges for reads. */
  fetch(target: Target, options: FetchOptions, signal: AbortSignal): Promise<Fetched>;
  /**
   * The state of posts; at most 25 in one call on Bluesky, 100 on X. A post without news from the platform is not in
   * the answer.
   */
  look(targets: readonly Target[], signal: AbortSignal): Promise<Map<string, Look>>;
}

export type Look = { state: 'live' } | { state: 'edited'; post: FetchedPost } | { state: 'deleted' | 'protected' };

/** The post cannot be fetched, and another attempt will not change that. */
export class SourceRefusal extends Error {
  readonly reason: SaveReason;

  constructor(reason: SaveReason) {
    super(reason);
    this.reason = reason;
  }
}

/** The platform does not answer, answers nonsense, or asks to wait. Another attempt may succeed. */
export class SourceTrouble extends Error {
  /** The earliest time for another attempt. */
  readonly until: Date | undefined;
  /** For a write: it certainly did not happen. */
  readonly isUndone: boolean;

  constructor(
    message: string,
    options: { cause?: unknown; until?: Date | undefined; isUndone?: boolean | undefined } = {},
  ) {
    super(message, { cause: options.cause });
    this.until = options.until;
    this.isUndone = options.isUndone ?? false;
  }
}
