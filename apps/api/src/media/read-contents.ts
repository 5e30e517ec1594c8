import type { ContentsRefusal, MediaContents } from './media-contents.ts';
import { readPicture } from './read-picture.ts';
import { isVideo, readVideo } from './read-video.ts';

/** Reads the type and size from the bytes alone, whatever the sender claims. Returns why they are refused otherwise. */
export async function readContents(bytes: Buffer): Promise<MediaContents | ContentsRefusal> {
  return isVideo(bytes) ? readVideo(bytes) : readPicture(bytes);
}
