import type { NewMedia } from '@archive/contracts/schemas';
import type { Media } from '../media/media.ts';
import type { MediaFile } from '../media/media-document.ts';
import type { BlobAddress } from '../sources/source.ts';

interface Needs {
  media: Pick<Media, 'fetch'>;
}

interface Options {
  /** Of the post that needs them, ours. */
  post: string;
  blobs?: Record<string, BlobAddress> | undefined;
  signal: AbortSignal;
}

/** What of a post's media is kept now, and whether asking again may bring more. */
export interface KeptMedia {
  media: NewMedia[];
  mayRetry: boolean;
}

/** Fetches what is missing of a post's media, one after another: what cannot be had stays as it was told. */
export async function keepMedia(needs: Needs, media: readonly NewMedia[], options: Options): Promise<KeptMedia> {
  const kept: NewMedia[] = [];
  let mayRetry = false;
  for (const one of media) {
    const bytes = one.sha256 ? null : await fetchOne(needs, one, options);
    const poster = one.posterSha256 || !one.poster ? null : await fetchAt(needs, one.poster, 'poster', options);
    mayRetry ||= [bytes, poster].some((found) => found !== null && 'refused' in found && found.retry);
    kept.push({ ...one, ...aboutBytes(bytes), ...aboutPoster(poster) });
  }
  return { media: kept, mayRetry };
}

/** The author's picture as it is kept; null where it is not to be had. */
export async function keepAvatar(needs: Needs, url: string, options: Options): Promise<string | null> {
  const found = await fetchAt(needs, url, 'avatar', options);
  return 'refused' in found ? null : found.sha256;
}

type Found = Awaited<ReturnType<Media['fetch']>>;

/** From the author's own server, where what comes proves itself; else the platform's copy. */
async function fetchOne(needs: Needs, { type, key, address }: NewMedia, options: Options): Promise<Found | null> {
  const blob = options.blobs?.[key];
  const { post, signal } = options;
  const own = blob ? await needs.media.fetch({ url: blob.url, cid: blob.cid, kind: type, post, signal }) : null;
  if (own && !('refused' in own)) return own;
  const copy = address ? await fetchAt(needs, address, type, options) : null;
  return copy && !('refused' in copy) ? copy : (own ?? copy);
}

function fetchAt(
  { media }: Needs,
  url: string,
  kind: 'image' | 'gif' | 'video' | 'poster' | 'avatar',
  { post, signal }: Options,
): Promise<Found> {
  return media.fetch({ url, kind, post, signal });
}

/** What its bytes say goes before what was said of it. */
function aboutBytes(found: Found | null): Partial<NewMedia> {
  if (!found || 'refused' in found) return {};
  const { sha256, width, height, durationMs, thumbhash } = found satisfies MediaFile;
  return {
    sha256,
    width,
    height,
    ...(durationMs !== null && { durationMs }),
    ...(thumbhash !== null && { thumbhash }),
  };
}

function aboutPoster(found: Found | null): Partial<NewMedia> {
  if (!found || 'refused' in found) return {};
  return { posterSha256: found.sha256, ...(found.thumbhash !== null && { thumbhash: found.thumbhash }) };
}
