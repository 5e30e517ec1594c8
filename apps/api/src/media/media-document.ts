import type { MediaFileType } from '@archive/contracts';

/**
 * A kept file as MongoDB knows it. `kept`: it is served. `going`: nobody seemed to need it, which is being looked at again.
 * `gone`: its bytes are being removed, and never come back under this name.
 */
export interface MediaDocument {
  /** SHA-256 of its bytes, in hexadecimal digits. */
  _id: string;
  state: 'kept' | 'going' | 'gone';
  /** Whose look at it, while it is `going`. */
  look?: string;
  /** Under which its bytes lie; another one whenever it is kept anew, so that removing those of before takes none of it. */
  name: string;
  type: MediaFileType;
  bytes: number;
  width: number;
  height: number;
  durationMs: number | null;
  thumbhash: string | null;
  /** Bytes of its preview; null: it has none. */
  previewBytes: number | null;
  createdAt: Date;
  /** When somebody last kept it without a post yet to need it. */
  heldAt: Date;
}

/** A post needs a file. */
export interface MediaReference {
  sha256: string;
  post: string;
  /** The post is out of sight for now. */
  sealed?: true;
}

/** A file that is never kept again. */
export interface MediaBlock {
  _id: string;
  at: Date;
}

/** A kept file, as other rooms know it. */
export interface MediaFile {
  sha256: string;
  type: MediaFileType;
  bytes: number;
  /** As it is shown, in pixels. */
  width: number;
  height: number;
  durationMs: number | null;
  /** In base64; null of videos. */
  thumbhash: string | null;
  hasPreview: boolean;
}

export function toMediaFile(document: MediaDocument): MediaFile {
  const { _id: sha256, type, bytes, width, height, durationMs, thumbhash, previewBytes } = document;
  return { sha256, type, bytes, width, height, durationMs, thumbhash, hasPreview: previewBytes !== null };
}

/** Under which its preview lies. */
export function previewName(name: string): string {
  return `${name}.webp`;
}
