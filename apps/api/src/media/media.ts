import type { Readable } from 'node:stream';
import type { ByteRange } from './bytes/byte-store.ts';
import type { WantedMedia } from './fetch-media.ts';
import type { MediaDocument, MediaFile } from './media-document.ts';
import type { MediaRefusal } from './media-refusal.ts';

/** Pictures and videos of posts, stored under the SHA-256 of their bytes for as long as a post needs them. */
export interface Media {
  /** Fetches a file and stores it, if it is not stored yet. */
  fetch(wanted: WantedMedia): Promise<MediaFile | MediaRefusal>;
  /**
   * Stores these bytes for `post`. Without a post, they stay for an hour, in which `addReference` must follow.
   * Idempotent.
   */
  keep(bytes: Buffer, options?: { post?: string | undefined }): Promise<MediaFile | MediaRefusal>;
  /**
   * Adds a reference of the post to the file. Returns false if the file is not stored; it must then be fetched again.
   */
  addReference(sha256: string, post: string): Promise<boolean>;
  /** Removes the post's references, and deletes files that no other post needs. Idempotent. */
  dropReferences(post: string): Promise<void>;
  /** Marks the post as out of sight or as shown. Files that only posts out of sight need are kept but not served. */
  seal(post: string, isSealed: boolean): Promise<void>;
  find(sha256: string): Promise<MediaFile | null>;
  /** Deletes the file even if posts need it, and refuses it from now on. */
  block(sha256: string): Promise<void>;
  isBlocked(sha256: string): Promise<boolean>;
  /** Whether the disk has less free space than the operator requires. */
  isDiskShort(): Promise<boolean>;
  /** Access to files for serving. */
  served: ServedMedia;
}

export interface ServedMedia {
  find(sha256: string): Promise<MediaDocument | null>;
  open(name: string, range: ByteRange): Promise<Readable | null>;
}
