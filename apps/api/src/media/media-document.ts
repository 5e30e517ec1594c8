import type { MediaFileType } from '@archive/contracts';

/**
 * A stored file in MongoDB. `kept`: it is served. `going`: no post seems to need it, which is checked again. `gone`:
 * its bytes are being deleted and never return under this name.
 */
export interface MediaDocument {
  /** SHA-256 of its bytes, in hexadecimal digits. */
  _id: string;
  state: 'kept' | 'going' | 'gone';
  /** Id of the current check while the file is `going`. */
  look?: string;
  /** Name of its bytes. It changes with each new storing, so that a late deletion never deletes the new bytes. */
  name: string;
  type: MediaFileType;
  bytes: number;
  width: number;
  height: number;
  durationMs: number | null;
  thumbhash: string | null;
  /** Bytes of its preview; null without one. */
  previewBytes: number | null;
  createdAt: Date;
  /** When the file was last stored without a post that needs it. */
  heldAt: Date;
}

/** A reference from a post to a file. */
export interface MediaReference {
  sha256: string;
  post: string;
  /** The post is out of sight for now. */
  sealed?: true;
}

/** A file that is never stored again. */
export interface MediaBlock {
  _id: string;
  at: Date;
}

/** A stored file, as other features see it. */
export interface MediaFile {
  sha256: string;
  type: MediaFileType;
  bytes: number;
  /** In pixels, as shown. */
  width: number;
  height: number;
  durationMs: number | null;
  /** In base64; null for videos. */
  thumbhash: string | null;
  hasPreview: boolean;
}

export function toMediaFile(document: MediaDocument): MediaFile {
  const { _id: sha256, type, bytes, width, height, durationMs, thumbhash, previewBytes } = document;
  return { sha256, type, bytes, width, height, durationMs, thumbhash, hasPreview: previewBytes !== null };
}

/** The name of the preview's bytes. */
export function previewName(name: string): string {
  return `${name}.webp`;
}
