import { VERSIONS_KEPT } from '@archive/contracts';
import type { Base } from '../base.ts';
import type { Media } from '../media/media.ts';
import { LOOK_CLAIMED_MS } from '../posts/arrived-post-store.ts';
import { isRemoved, type PostDocument } from '../posts/post-document.ts';
import type { Posts } from '../posts/posts.ts';
import { showMediaAsPost } from '../posts/show-media-as-post.ts';
import {
  type Look,
  type Source,
  type SourcePlatform,
  SourceRefusal,
  SourceTrouble,
  type Target,
} from '../sources/source.ts';
import type { Sources } from '../sources/sources.ts';

export interface LookNeeds extends Pick<Base, 'config' | 'database' | 'log'> {
  media: Pick<Media, 'seal'>;
  posts: Pick<Posts, 'store' | 'arrived' | 'sealed'>;
  sources: Pick<Sources, 'byPlatform'>;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Times of the looks after the save. */
const LOOKS_MS = [HOUR_MS, DAY_MS, 7 * DAY_MS, 30 * DAY_MS];
const LOOK_MS = 20_000;
const AT_ONCE = { x: 100, bluesky: 25 } as const;

/** When the platform is asked about the post again; null after the last look. */
export function nextLook(savedAt: Date, now: Date): Date | null {
  const after = LOOKS_MS.find((ms) => savedAt.getTime() + ms > now.getTime());
  return after === undefined ? null : new Date(savedAt.getTime() + after);
}

export function lookDue(dueAt: Date | null): { lookDueAt?: Date } {
  return dueAt ? { lookDueAt: dueAt } : {};
}

/** Asks the platforms for the state of the posts that are due. Returns whether there were any. */
export async function lookAgain(needs: LookNeeds, stopped: AbortSignal): Promise<boolean> {
  await endSeals(needs);
  let looked = 0;
  for (const source of needs.sources.byPlatform.values()) {
    const signal = AbortSignal.any([stopped, AbortSignal.timeout(LOOK_MS)]);
    try {
      looked += await lookAtShown(needs, source, signal);
      looked += await lookAtSealed(needs, source, signal);
    } catch (error) {
      if (!(error instanceof SourceTrouble || error instanceof SourceRefusal)) throw error;
      // The claims expire, so these posts are looked at again in a few minutes.
      needs.log.warn({ err: error, platform: source.platform }, 'posts could not be looked at again');
    }
  }
  return looked > 0;
}

/**
 * Removes for good the posts that their authors have not brought back in time, even if the platform cannot be asked.
 */
async function endSeals({ config, database, posts }: LookNeeds): Promise<void> {
  const before = new Date(database.clock.now().getTime() - config.sources.sealedDays * DAY_MS);
  for (const post of await posts.sealed.findOlderThan(before, AT_ONCE.x)) await posts.sealed.remove(post);
}

/** Returns the number of due posts. */
async function lookAtShown(needs: LookNeeds, source: Source, signal: AbortSignal): Promise<number> {
  const now = needs.database.clock.now();
  const until = new Date(now.getTime() + LOOK_CLAIMED_MS);
  const posts = await needs.posts.arrived.claimLooks(source.platform, AT_ONCE[source.platform], now, until);
  const looks = await lookAt(source, posts, signal);
  for (const post of posts) {
    const look = looks.get(post.id);
    if (look) await take(needs, source.platform, post, look, now);
    else await needs.posts.arrived.putOffLook(post._id, until, lookAfterNone(post, now));
  }
  return posts.length;
}

/** The wait grows with the time without an answer. Otherwise hanging servers would take the time of all other looks. */
function lookAfterNone({ source, savedAt, createdAt }: PostDocument, now: Date): Date {
  const silentMs = now.getTime() - (source?.checkedAt ?? savedAt ?? createdAt).getTime();
  return new Date(now.getTime() + Math.min(Math.max(silentMs, LOOK_CLAIMED_MS), HOUR_MS));
}

async function take(
  needs: LookNeeds,
  platform: SourcePlatform,
  post: PostDocument,
  look: Look,
  now: Date,
): Promise<void> {
  const { config, log, media, posts } = needs;
  const dueAt = nextLook(post.savedAt ?? post.createdAt, now);
  if (look.state === 'deleted' || look.state === 'protected') {
    log.info({ post: post.id, state: look.state }, 'its author has taken a post away');
    if (!config.sources.hidesDeleted) {
      return posts.arrived.setSource(post._id, { state: look.state, checkedAt: now }, { dueAt, isNews: true });
    }
    const current = await posts.store.find(post._id.toHexString());
    if (!current || isRemoved(current)) return;
    // Media are sealed first. If the process is killed before the post is sealed, the media stay hidden until the next
    // look.
    await media.seal(post._id.toHexString(), true);
    const isSealed = await posts.sealed.seal(current, platform, look.state, new Date(now.getTime() + DAY_MS));
    if (!isSealed) await showMediaAsPost({ media, posts }, post._id);
    return;
  }
  const words = look.state === 'edited' ? look.post.post.content : post.content;
  const latest = post.versions?.at(-1)?.content ?? post.content;
  // The post keeps the text that was saved; later text is added as a version.
  const versions =
    words === latest ? undefined : [...(post.versions ?? []), { at: now, content: words }].slice(-VERSIONS_KEPT);
  const isEdited = words !== post.content || post.source?.state === 'edited';
  const state = isEdited ? ('edited' as const) : ('live' as const);
  await showMediaAsPost({ media, posts }, post._id);
  const isNews = versions !== undefined || state !== post.source?.state;
  await posts.arrived.setSource(post._id, { state, checkedAt: now }, { dueAt, isNews, ...(versions && { versions }) });
}

/** Shows sealed posts again if their authors have brought them back. Returns the number of due posts. */
async function lookAtSealed(
  { database, media, posts }: LookNeeds,
  source: Source,
  signal: AbortSignal,
): Promise<number> {
  const now = database.clock.now();
  const until = new Date(now.getTime() + DAY_MS);
  const sealed = await posts.sealed.claim(source.platform, AT_ONCE[source.platform], now, until);
  const looks = await lookAt(source, sealed, signal);
  for (const post of sealed) {
    const look = looks.get(post.id);
    const isBack = look?.state === 'live' || look?.state === 'edited';
    if (isBack) await posts.sealed.unseal(post._id, nextLook(now, now) ?? until);
    await showMediaAsPost({ media, posts }, post._id);
  }
  return sealed.length;
}

async function lookAt(source: Source, posts: readonly PostDocument[], signal: AbortSignal): Promise<Map<string, Look>> {
  if (posts.length === 0) return new Map();
  const targets: Target[] = [];
  for (const { url } of posts) {
    const target = await source.resolve(url, signal);
    if (target) targets.push(target);
  }
  return source.look(targets, signal);
}
