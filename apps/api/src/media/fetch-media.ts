import { CODEC_RAW, create, toString as toText } from '@atcute/cid';
import type { Outbound } from '../outbound/outbound.ts';
import { OutboundRefusal } from '../outbound/outbound-refusal.ts';
import { keepMedia } from './keep-media.ts';
import type { MediaFile } from './media-document.ts';
import { MEDIA_HOSTS } from './media-hosts.ts';
import type { MediaParts } from './media-parts.ts';
import { isRefusal, type MediaRefusal, refused } from './media-refusal.ts';
import { isVideo } from './read-video.ts';

/** The requested kind. X delivers GIFs as videos, so a `gif` may be either. */
export type MediaKind = 'image' | 'gif' | 'video' | 'poster' | 'avatar';

export interface WantedMedia {
  url: string;
  kind: MediaKind;
  /**
   * CID of a Bluesky blob; the bytes must match it. With a CID any public server may be asked, such as the author's
   * own; without it, only the platforms' media hosts.
   */
  cid?: string | undefined;
  /** A larger file is refused. */
  maxBytes?: number | undefined;
  /** Called with each number of received bytes, whatever the outcome. */
  onBytes?: ((count: number) => void) | undefined;
  /** The post that needs the file, if known. */
  post?: string | undefined;
  signal?: AbortSignal | undefined;
}

interface Needs extends MediaParts {
  outbound: Outbound;
  maxBytes: number;
  /** Whether the disk has less free space than the operator requires. */
  isDiskShort: () => Promise<boolean>;
}

/** Fetches a file and stores it under its hash. */
export async function fetchMedia(
  needs: Needs,
  { url, kind, cid, post, signal, onBytes, maxBytes = Number.POSITIVE_INFINITY }: WantedMedia,
): Promise<MediaFile | MediaRefusal> {
  if (await needs.isDiskShort()) return refused('disk_short', true);
  const hosts = cid === undefined ? MEDIA_HOSTS : 'anybody';
  const fetched = await needs.outbound
    .get(url, {
      hosts,
      maxBytes: Math.min(needs.maxBytes, maxBytes),
      headers: { Accept: 'image/*,video/mp4' },
      onBytes,
      signal,
    })
    .catch((error: unknown) => {
      if (error instanceof OutboundRefusal) return refused(error.reason, error.mayRetry);
      throw error;
    });
  if (isRefusal(fetched)) return fetched;
  const { bytes } = fetched;
  // Another attempt may succeed, if the server returned wrong bytes only temporarily.
  if (cid !== undefined && toText(await create(CODEC_RAW, bytes)) !== cid) return refused('other_bytes', true);
  if (kind !== 'gif' && isVideo(bytes) !== (kind === 'video')) return refused('other_kind');
  return keepMedia(needs, bytes, { post });
}
