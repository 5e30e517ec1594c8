import type { MediaFileType } from '@archive/contracts';

/** What a file's bytes contain. Width and height are in pixels, as shown. */
export interface MediaContents {
  type: MediaFileType;
  width: number;
  height: number;
  /** Of a video; null for pictures and unknown durations. */
  durationMs: number | null;
  /** Of a picture, in base64. */
  thumbhash: string | null;
  /** A small WebP of a picture; of its first frame if it is animated. */
  preview: Buffer | null;
}

/** Why bytes are refused: not a supported type, damaged, or too large to decode. */
export type ContentsRefusal = 'not_media' | 'damaged' | 'too_many_pixels';
