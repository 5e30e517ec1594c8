import { platformOf } from '@archive/contracts';
import type { NewMedia } from '@archive/contracts/schemas';
import type { Base } from '../base.ts';
import type { Collections } from '../collections/collections.ts';
import type { Media } from '../media/media.ts';
import { isRemoved, type PostDocument } from '../posts/post-document.ts';
import type { Posts } from '../posts/posts.ts';
import { type BlobAddress, type SourcePlatform, SourceRefusal, SourceTrouble } from '../sources/source.ts';
import type { Sources } from '../sources/sources.ts';
import type { CaptureStore } from './capture-store.ts';
import { keepAvatar, keepMedia } from './keep-media.ts';
import { payMedia } from './media-budget.ts';

export interface TidyNeeds extends Pick<Base, 'config' | 'database' | 'log'> {
  sources: Pick<Sources, 'byPlatform'>;
  media: Pick<Media, 'fetch' | 'dropReferences' | 'seal'>;
  posts: Pick<Posts, 'store' | 'arrived' | 'sealed'>;
  captures: CaptureStore;
  collections: Pick<Collections, 'store'>;
}

const DAY_MS = 86_400_000;
/** A platform that has not sent a file for a week will not send it. */
const RETRIED_MS = 7 * DAY_MS;
const CLAIMED_MS = 10 * 60_000;
const FETCH_MS = 60_000;
const BATCH = 50;
const POSTS_A_ROUND = 5;

/**
 * When missing media are fetched again; null if never. The interval grows with the time since the save. If the bytes of
 * the UTC day are spent, the next attempt is on the next day, since each attempt costs a read of the platform.
 */
export function nextTry(savedAt: Date, now: Date, isSpent: boolean): Date | null {
  const age = now.getTime() - savedAt.getTime();
  if (age > RETRIED_MS) return null;
  if (isSpent) return new Date(Math.floor(now.getTime() / DAY_MS + 1) * DAY_MS);
  return new Date(now.getTime() + Math.max(60_000, age / 2));
}

/** Fetches the missing media of a few due posts. Returns whether any was due. */
export async function retryMedia(needs: TidyNeeds, stopped: AbortSignal): Promise<boolean> {
  const { database, media, posts } = needs;
  let count = 0;
  for (; count < POSTS_A_ROUND && !stopped.aborted; count++) {
    const now = database.clock.now();
    const post = await posts.arrived.claimMissingMedia(now, new Date(now.getTime() + CLAIMED_MS));
    if (!post) break;
    const signal = AbortSignal.any([stopped, AbortSignal.timeout(FETCH_MS)]);
    const id = post._id.toHexString();
    const told = await tellAgain(needs, post, signal);
    const pay = payMedia(needs, post.mediaPayers ?? []);
    const options = { post: id, blobs: told.blobs, pay, signal };
    const kept = await keepMedia({ media }, told.media, options);
    const avatar = told.avatar && !post.avatarSha256 ? await keepAvatar({ media }, told.avatar, options) : null;
    // Only the platform tells the address of an avatar. If it has not answered, the avatar stays due.
    const isAvatarDue = told.isTold ? avatar?.mayRetry : !post.avatarSha256 && Boolean(post.authorAvatar);
    const isSpent = kept.isSpent || avatar?.isSpent === true;
    const dueAt = kept.mayRetry || isAvatarDue ? nextTry(post.savedAt ?? post.createdAt, now, isSpent) : null;
    const asFound = { changedAt: post.changedAt, ...(avatar?.sha256 && { avatarSha256: avatar.sha256 }) };
    if (await posts.arrived.setMedia(post._id, kept.media, dueAt, asFound)) continue;
    // The post was changed, and the attempt is repeated; or it is gone, and the new references must go too.
    const current = await posts.store.find(id);
    if (current && isRemoved(current) && current.sealed) await media.seal(id, true);
    else if (!current || isRemoved(current)) await media.dropReferences(id);
  }
  return count > 0;
}

interface ToldAgain {
  media: NewMedia[];
  blobs?: Record<string, BlobAddress> | undefined;
  avatar?: string | undefined;
  /** Whether the platform has answered, or need not be asked. */
  isTold: boolean;
}

/**
 * Asks the platform for the current addresses of the media, since addresses and servers change. Without an answer, the
 * stored addresses stay.
 */
async function tellAgain(
  { sources }: TidyNeeds,
  { media = [], isFromPlatform, url }: PostDocument,
  signal: AbortSignal,
): Promise<ToldAgain> {
  const source = sources.byPlatform.get(platformOf(url) as SourcePlatform);
  if (!isFromPlatform || !source) return { media, isTold: true };
  try {
    const target = await source.resolve(url, signal);
    const asked = target && (await source.fetch(target, { thread: false, payer: 'media' }, signal)).asked;
    const told = new Map((asked?.post.media ?? []).map((one) => [one.key, one]));
    const found = media.map((one) => ({ ...told.get(one.key), ...one }));
    return { media: found, blobs: asked?.blobs, avatar: asked?.avatar, isTold: true };
  } catch (error) {
    if (error instanceof SourceRefusal || error instanceof SourceTrouble || signal.aborted)
      return { media, isTold: false };
    throw error;
  }
}

/** Deletes what removed posts have left: evidence, places in collections, and media that no other post needs. */
export async function emptyRemoved({ media, posts, captures, collections }: TidyNeeds): Promise<void> {
  for (;;) {
    const removed = await posts.arrived.findUnemptied(BATCH);
    if (removed.length === 0) return;
    await captures.drop(removed);
    await posts.sealed.drop(removed);
    await collections.store.dropPosts(removed);
    for (const id of removed) {
      await media.dropReferences(id.toHexString());
      await posts.arrived.markEmptied(id);
    }
  }
}
