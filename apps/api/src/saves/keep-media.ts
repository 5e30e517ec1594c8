import type { NewMedia } from '@archive/contracts/schemas';
import { tell } from '../channels.ts';
import type { Media } from '../media/media.ts';
import type { MediaFile } from '../media/media-document.ts';
import type { BlobAddress } from '../sources/source.ts';
import type { Pay } from './media-budget.ts';

/** Of one post. */
const AT_ONCE = 3;

interface Needs {
  media: Pick<Media, 'fetch'>;
}

interface Options {
  /** Of the post that needs them, ours. */
  post: string;
  blobs?: Record<string, BlobAddress> | undefined;
  /** Bytes that may still be fetched for the request, counted down here. */
  budget?: MediaBudget | undefined;
  /** Of the day's bytes. */
  pay?: Pay;
  signal: AbortSignal;
}

export interface MediaBudget {
  left: number;
}

/** What of a post's media is kept now, and whether asking again may bring more. */
export interface KeptMedia {
  media: NewMedia[];
  mayRetry: boolean;
  /** Asking again helps on the next UTC day: those who pay have no bytes left of this one. */
  isSpent: boolean;
}

/**
 * Fetches what is missing of a post's media, a few at once: what cannot be had stays as it was told. What the signal's own
 * time limit cuts off counts as missing for now; any other abort is thrown.
 */
export async function keepMedia(needs: Needs, media: readonly NewMedia[], options: Options): Promise<KeptMedia> {
  const kept: NewMedia[] = [...media];
  let mayRetry = false;
  let isSpent = false;
  const waiting = media.entries();
  const take = async () => {
    for (const [at, one] of waiting) {
      const bytes = one.sha256 ? null : await inTime(fetchOne(needs, one, options), options);
      const posterAt = one.posterSha256 ? null : one.poster;
      const poster = posterAt ? await inTime(fetchAt(needs, posterAt, 'poster', options), options) : null;
      mayRetry ||= !one.sha256 && (bytes === null || isToRetry(bytes));
      mayRetry ||= poster !== null && isToRetry(poster);
      isSpent ||= isOfSpentDay(bytes) || isOfSpentDay(poster);
      kept[at] = { ...one, ...aboutBytes(bytes), ...aboutPoster(poster) };
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, take));
  return { media: kept, mayRetry, isSpent };
}

/** The author's picture as it is kept, or whether it may be had later. */
export async function keepAvatar(
  needs: Needs,
  url: string,
  options: Options,
): Promise<{ sha256?: string; mayRetry: boolean; isSpent: boolean }> {
  const found = await inTime(fetchAt(needs, url, 'avatar', options), options);
  const isSpent = isOfSpentDay(found);
  return 'refused' in found ? { mayRetry: found.retry, isSpent } : { sha256: found.sha256, mayRetry: false, isSpent };
}

async function inTime<T>(fetching: Promise<T>, { signal }: Options): Promise<T | Refusal> {
  try {
    return await fetching;
  } catch (error) {
    if (signal.aborted && signal.reason?.name === 'TimeoutError') return { refused: 'too_slow', retry: true };
    throw error;
  }
}

function isToRetry(found: Found): boolean {
  return 'refused' in found && found.retry;
}

function isOfSpentDay(found: Found | null): boolean {
  return found !== null && 'refused' in found && found.refused === 'day_spent';
}

type Found = Awaited<ReturnType<Media['fetch']>>;
type Refusal = Extract<Found, { refused: unknown }>;

/** From the author's own server, where what comes proves itself; else the platform's copy. */
async function fetchOne(needs: Needs, { type, key, address }: NewMedia, options: Options): Promise<Found | null> {
  const blob = options.blobs?.[key];
  const own = blob ? await fetchWithin(needs, { ...blob, kind: type }, options, blob.size) : null;
  if (own && !('refused' in own)) return own;
  const copy = address && !isOfSpentDay(own) ? await fetchAt(needs, address, type, options) : null;
  return copy && (!('refused' in copy) || copy.retry) ? copy : (own ?? copy);
}

function fetchAt(
  needs: Needs,
  url: string,
  kind: 'image' | 'gif' | 'video' | 'poster' | 'avatar',
  options: Options,
): Promise<Found> {
  return fetchWithin(needs, { url, kind }, options);
}

/**
 * Never more than the record says, nor than is left of the request's budget. What is too much for it is not tried again. What
 * the record says is reserved, so that fetches side by side stay within the budget together.
 */
async function fetchWithin(
  { media }: Needs,
  { url, cid, kind }: Pick<Parameters<Media['fetch']>[0], 'url' | 'cid' | 'kind'>,
  {
    post,
    signal,
    budget = { left: Number.POSITIVE_INFINITY },
    pay = (bytes, fetch) => fetch(bytes, () => {}),
  }: Options,
  size = Number.POSITIVE_INFINITY,
): Promise<Found> {
  const isKnown = Number.isFinite(size);
  if (budget.left <= 0 || (isKnown && size > budget.left)) {
    tell('mediaRefused', { budget: 'request', bytes: isKnown ? size : 0 });
    return { refused: 'too_large', retry: false };
  }
  const most = Math.min(size, budget.left);
  let reserved = isKnown ? size : 0;
  budget.left -= reserved;
  try {
    return await pay(most, (maxBytes, onBytes) => {
      const count = (bytes: number) => {
        budget.left -= Math.max(0, bytes - reserved);
        reserved = Math.max(0, reserved - bytes);
        onBytes(bytes);
      };
      return media.fetch({ url, cid, kind, post, signal, maxBytes, onBytes: count });
    });
  } finally {
    budget.left += reserved;
  }
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
