import type { ContentsRefusal, MediaContents } from './media-contents.ts';
import { readPicture } from './read-picture.ts';
import { isVideo, readVideo } from './read-video.ts';

/** What bytes are by themselves, whatever was said of them on the way; or why they are not kept. */
export async function readContents(bytes: Buffer): Promise<MediaContents | ContentsRefusal> {
  return isVideo(bytes) ? readVideo(bytes) : readPicture(bytes);
}
