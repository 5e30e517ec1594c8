import type { Base } from '../base.ts';
import type { Media } from '../media/media.ts';
import type { Posts } from '../posts/posts.ts';
import type { CaptureStore } from './capture-store.ts';
import { keepMedia } from './keep-media.ts';

export interface TidyNeeds extends Pick<Base, 'database'> {
  media: Pick<Media, 'fetch' | 'dropReferences' | 'seal'>;
  posts: Pick<Posts, 'store' | 'arrived'>;
  captures: CaptureStore;
}

const HOUR_MS = 3_600_000;
/** What a platform has not sent for a week it will not send. */
const RETRIED_MS = 7 * 24 * HOUR_MS;
const CLAIMED_MS = 10 * 60_000;
const FETCH_MS = 60_000;
const BATCH = 50;

/** When media that are missing are fetched again; null: never. The longer they are missing, the later. */
export function nextTry(savedAt: Date, now: Date): Date | null {
  const age = now.getTime() - savedAt.getTime();
  return age > RETRIED_MS ? null : new Date(now.getTime() + Math.max(60_000, age / 2));
}

/** Fetches again what was missing, as much as is due. */
export async function retryMedia(needs: TidyNeeds, stopped: AbortSignal): Promise<void> {
  const { database, media, posts } = needs;
  while (!stopped.aborted) {
    const now = database.clock.now();
    const post = await posts.arrived.claimMissingMedia(now, new Date(now.getTime() + CLAIMED_MS));
    if (!post) return;
    const signal = AbortSignal.any([stopped, AbortSignal.timeout(FETCH_MS)]);
    const id = post._id.toHexString();
    const kept = await keepMedia({ media }, post.media ?? [], { post: id, signal });
    const dueAt = kept.mayRetry ? nextTry(post.savedAt ?? post.createdAt, now) : null;
    if (!(await posts.arrived.setMedia(post._id, kept.media, dueAt))) await media.dropReferences(id);
  }
}

/** Lets go of what removed posts have left: their media, as far as no other post needs them, and their evidence. */
export async function emptyRemoved({ media, posts, captures }: TidyNeeds): Promise<void> {
  for (;;) {
    const removed = await posts.arrived.findUnemptied(BATCH);
    if (removed.length === 0) return;
    await captures.drop(removed);
    await posts.arrived.dropSealed(removed);
    for (const id of removed) {
      await media.dropReferences(id.toHexString());
      await posts.arrived.markEmptied(id);
    }
  }
}
