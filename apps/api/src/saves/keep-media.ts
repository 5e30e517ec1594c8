import type { NewMedia } from '@archive/contracts/schemas';
import { tell } from '../channels.ts';
import type { Media } from '../media/media.ts';
import type { MediaFile } from '../media/media-document.ts';
import type { BlobAddress } from '../sources/source.ts';
import type { Pay } from './media-budget.ts';

/** Parallel fetches for one post. */
const AT_ONCE = 3;

interface Needs {
  media: Pick<Media, 'fetch'>;
}

interface Options {
  /** Our `_id` of the post. */
  post: string;
  blobs?: Record<string, BlobAddress> | undefined;
  /** Bytes that the request may still fetch; counted down here. */
  budget?: MediaBudget | undefined;
  /** Charges the bytes to the budget of the day. */
  pay?: Pay;
  signal: AbortSignal;
}

export interface MediaBudget {
  left: number;
}

/** The media of a post after a fetch, and whether another attempt may bring more. */
export interface KeptMedia {
  media: NewMedia[];
  mayRetry: boolean;
  /** The payers have no bytes left today, so the next attempt must wait for the next UTC day. */
  isSpent: boolean;
}

/**
 * Fetches the missing media of a post, a few at once. Media that cannot be fetched keep their old fields. A fetch that
 * the signal's timeout stops counts as missing for now; any other abort is thrown.
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

/** Fetches the author's picture. Returns its hash, or whether another attempt may succeed. */
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

/**
 * Fetches from the author's own server first, because the CID verifies the bytes. Falls back to the platform's copy.
 */
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
 * Fetches at most the size in the record and at most what the request has left. A file above the budget is not tried
 * again. The size in the record is reserved, so that parallel fetches together stay within the budget.
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

/** What the bytes themselves show replaces what the platform said. */
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
