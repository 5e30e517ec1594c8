import type { Platform, SaveReason } from '@archive/contracts';
import type { NewPost } from '@archive/contracts/schemas';

export type SourcePlatform = Exclude<Platform, 'other'>;

/** One post at its platform. */
export interface Target {
  platform: SourcePlatform;
  /** Under which it is kept here. */
  id: string;
  /** What its platform calls it: digits on X, an `at://` address on Bluesky. */
  address: string;
  /** For people. */
  url: string;
}

/** A post as its platform tells it. */
export interface FetchedPost {
  target: Target;
  post: NewPost & { authorId: string };
  /** On Bluesky, which record this is: the hash of its bytes. */
  cid?: string;
  /** The post's own part of what the platform answered, as JSON; never shown, kept as evidence. */
  raw: Uint8Array;
  /** Earlier texts of an edited post, oldest first. */
  versions?: { at: Date; content: string }[];
  /** The record with its author's signature, which was checked, and the key it was checked against. */
  signed?: { car: Uint8Array; key: string; did: string };
  /** The first post of the author's own thread it stands in, as far as that is known; itself where others go on from it. */
  threadRoot?: { id: string };
  /** Where the author's picture is. */
  avatar?: string;
  /** How many bytes the record says that each picture has, by the key of the media. */
  sizes?: Record<string, number>;
  /** Of the author's own server: where each picture's bytes are, by the key of the media. */
  blobs?: Record<string, BlobAddress>;
}

/** Bytes on an author's own server, which must be those of their CID; the platform's copy is what is left where they are not had. */
export interface BlobAddress {
  url: string;
  cid: string;
  /** As the author's record says; of more bytes it is another blob. */
  size?: number | undefined;
}

/** A post with what is kept along with it: what it quotes, its own author's posts before it, and the thread if asked for. */
export interface Fetched {
  asked: FetchedPost;
  others: FetchedPost[];
}

/** A platform's posts as anybody may read them. Every call may fail with `SourceRefusal` or `SourceTrouble`. */
export interface FetchOptions {
  thread: boolean;
  payer?: string | undefined;
}

export interface Source {
  readonly platform: SourcePlatform;
  /** Which post a link names; null where it is none of this platform's posts. Handles are looked up. */
  resolve(link: string, signal: AbortSignal): Promise<Target | null>;
  /** `payer`: who asked for it, and pays where the platform charges. */
  fetch(target: Target, options: FetchOptions, signal: AbortSignal): Promise<Fetched>;
  /** What became of posts; at most 25 at once on Bluesky, 100 on X. What is not told of is not in the answer. */
  look(targets: readonly Target[], signal: AbortSignal): Promise<Map<string, Look>>;
}

export type Look = { state: 'live' } | { state: 'edited'; post: FetchedPost } | { state: 'deleted' | 'protected' };

/** The post cannot be had, and trying again will not change that. */
export class SourceRefusal extends Error {
  readonly reason: SaveReason;

  constructor(reason: SaveReason) {
    super(reason);
    this.reason = reason;
  }
}

/** The platform does not answer, or not sensibly, or wants us to wait: to be tried again. */
export class SourceTrouble extends Error {
  /** Not before that. */
  readonly until: Date | undefined;
  /** Of something that was to be written: it surely was not. */
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
