import type { Readable } from 'node:stream';
import type { ByteRange } from './bytes/byte-store.ts';
import type { WantedMedia } from './fetch-media.ts';
import type { MediaDocument, MediaFile } from './media-document.ts';
import type { MediaRefusal } from './media-refusal.ts';

/** Pictures and videos of posts, kept by the SHA-256 of their bytes for as long as a post needs them. */
export interface Media {
  /** Fetches and keeps one, where it is not kept yet. */
  fetch(wanted: WantedMedia): Promise<MediaFile | MediaRefusal>;
  /**
   * Keeps these bytes, for `post` where it is known; else for an hour, in which `addReference` should follow. Keeping again
   * what is kept is harmless.
   */
  keep(bytes: Buffer, options?: { post?: string | undefined }): Promise<MediaFile | MediaRefusal>;
  /** From now on the post needs the file. False where it is not kept (any more): fetch it again. */
  addReference(sha256: string, post: string): Promise<boolean>;
  /** The post needs none any more; what no other one needs is removed, bytes and all. Repeating is harmless. */
  dropReferences(post: string): Promise<void>;
  /** The post is out of sight, or is shown again: a file that is needed by posts out of sight alone is kept and not served. */
  seal(post: string, isSealed: boolean): Promise<void>;
  find(sha256: string): Promise<MediaFile | null>;
  /** Removes the file, whoever needs it, and keeps it never again. */
  block(sha256: string): Promise<void>;
  isBlocked(sha256: string): Promise<boolean>;
  /** Whether less is left on the disk than the operator wants. */
  isDiskShort(): Promise<boolean>;
  /** What is served. */
  served: ServedMedia;
}

export interface ServedMedia {
  find(sha256: string): Promise<MediaDocument | null>;
  open(name: string, range: ByteRange): Promise<Readable | null>;
}
