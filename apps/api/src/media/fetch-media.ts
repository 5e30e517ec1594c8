import { CODEC_RAW, create, toString as toText } from '@atcute/cid';
import type { Outbound } from '../outbound/outbound.ts';
import { OutboundRefusal } from '../outbound/outbound-refusal.ts';
import { keepMedia } from './keep-media.ts';
import type { MediaFile } from './media-document.ts';
import { MEDIA_HOSTS } from './media-hosts.ts';
import type { MediaParts } from './media-parts.ts';
import { isRefusal, type MediaRefusal, refused } from './media-refusal.ts';
import { isVideo } from './read-video.ts';

/** What is asked for: X shows its GIFs as videos, all others are either. */
export type MediaKind = 'image' | 'gif' | 'video' | 'poster' | 'avatar';

export interface WantedMedia {
  url: string;
  kind: MediaKind;
  /**
   * Of a blob on Bluesky, a CID of raw bytes: what comes must match it. Then any server may be asked, as the author's own
   * is; without it the platforms' media hosts alone.
   */
  cid?: string | undefined;
  /** Of more bytes it is refused. */
  maxBytes?: number | undefined;
  /** Told of the bytes that come, whatever becomes of them. */
  onBytes?: ((count: number) => void) | undefined;
  /** The post that needs it, where it is known. */
  post?: string | undefined;
  signal?: AbortSignal | undefined;
}

interface Needs extends MediaParts {
  outbound: Outbound;
  maxBytes: number;
  /** Whether less is left on the disk than the operator wants. */
  isDiskShort: () => Promise<boolean>;
}

/** Fetches a file and keeps it by what its bytes are. */
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
  // Other bytes than the author has signed may be of a server that will be right again.
  if (cid !== undefined && toText(await create(CODEC_RAW, bytes)) !== cid) return refused('other_bytes', true);
  if (kind !== 'gif' && isVideo(bytes) !== (kind === 'video')) return refused('other_kind');
  return keepMedia(needs, bytes, { post });
}
