import type { MediaFileType } from '@archive/contracts';

/** What the bytes of a file say of themselves. Width and height are those in which it is shown, in pixels. */
export interface MediaContents {
  type: MediaFileType;
  width: number;
  height: number;
  /** Of a video; null of pictures, and where it does not say. */
  durationMs: number | null;
  /** Of a picture, in base64. */
  thumbhash: string | null;
  /** Of a picture: a small WebP of it, its first frame where it moves. */
  preview: Buffer | null;
}

/** Why bytes are not taken: they are no kind of media that is kept, not whole, or far too large to look at. */
export type ContentsRefusal = 'not_media' | 'damaged' | 'too_many_pixels';
