import type { Post, PostMedia } from '@archive/contracts';
import { formatDay } from '../../../lib/format.ts';

/** Milliseconds during which the server retries a failed download. */
const RETRIED_MS = 7 * 86_400_000;
const NAMES = { image: 'picture', gif: 'GIF', video: 'video' };

/** `2 sensitive pictures`, `1 video`; for mixed kinds `3 sensitive pictures and videos`. */
export function mediaWords(media: readonly Pick<PostMedia, 'type'>[], quality = ''): string {
  const kinds = [...new Set(media.map(({ type }) => type))];
  const [only = 'image'] = kinds;
  const noun = kinds.length > 1 ? 'pictures and videos' : `${NAMES[only]}${media.length === 1 ? '' : 's'}`;
  return [media.length, quality, noun].filter((word) => word !== '').join(' ');
}

/** `1:42`, `1:02:03` */
export function formatLength(milliseconds: number): string {
  const seconds = Math.max(1, Math.round(milliseconds / 1000));
  const two = (part: number) => String(part).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
}

/** Why a picture is missing, and until when it may still be downloaded. */
export function missingWords({ savedAt }: Pick<Post, 'savedAt'>, now: number): string {
  const until = Date.parse(savedAt) + RETRIED_MS;
  if (until <= now) return 'It could not be had.';
  return `Not fetched yet. We keep trying until ${formatDay(new Date(until).toISOString())}.`;
}
