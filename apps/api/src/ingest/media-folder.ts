import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { NewMedia, NewPost } from '@archive/contracts/schemas';
import type { Media } from '../media/media.ts';
import type { MediaFile } from '../media/media-document.ts';
import type { KeepMedia } from './ingest-posts.ts';

/** Bytes of one file; more than any platform allows. */
const MAX_BYTES = 1_000_000_000;

/**
 * Reads media from a folder. Files are named by their hash with any extension, as in an export, or by the post's id and
 * the last part of their address, as in an X archive.
 */
export async function mediaFolder(media: Pick<Media, 'keep'>, folder: string): Promise<KeepMedia> {
  const names = new Map<string, string>();
  for (const name of await readdir(folder)) {
    names.set(name, name);
    // The hash decides, whatever the extension.
    const hash = /^([0-9a-f]{64})(?:\.\w{1,5})?$/.exec(name)?.[1];
    if (hash) names.set(hash, name);
  }
  const keep = async (wanted: (string | undefined)[], post: string): Promise<MediaFile | null> => {
    const name = wanted.flatMap((one) => (one ? (names.get(one) ?? []) : []))[0];
    if (!name) return null;
    const path = join(folder, name);
    if ((await stat(path)).size > MAX_BYTES) return null;
    const kept = await media.keep(await readFile(path), { post });
    return 'refused' in kept ? null : kept;
  };
  return async ({ id, media: told = [] }: NewPost, post: string): Promise<NewMedia[]> => {
    const result: NewMedia[] = [];
    for (const one of told) {
      const file = await keep([one.sha256, nameIn(id, one.address)], post);
      const poster = await keep([one.posterSha256, nameIn(id, one.poster)], post);
      const { sha256: _, posterSha256: __, ...rest } = one;
      result.push({ ...rest, ...(file && aboutFile(file)), ...(poster && aboutPoster(poster)) });
    }
    return result;
  };
}

/** The media folder beside the posts of an X archive, if there is one. */
export async function mediaBeside(file: string): Promise<string | null> {
  const folder = join(dirname(file), 'tweets_media');
  const found = await stat(folder).catch(() => null);
  return found?.isDirectory() ? folder : null;
}

function nameIn(id: string, address: string | undefined): string | undefined {
  return address && `${id}-${basename(new URL(address).pathname)}`;
}

function aboutFile({ sha256, width, height, durationMs, thumbhash }: MediaFile): Partial<NewMedia> {
  return {
    sha256,
    width,
    height,
    ...(durationMs !== null && { durationMs }),
    ...(thumbhash !== null && { thumbhash }),
  };
}

function aboutPoster({ sha256, thumbhash }: MediaFile): Partial<NewMedia> {
  return { posterSha256: sha256, ...(thumbhash !== null && { thumbhash }) };
}
