import type { Base } from '../base.ts';
import type { Media } from '../media/media.ts';
import type { PostDocument } from '../posts/post-document.ts';
import type { Posts } from '../posts/posts.ts';
import { type Look, type Source, SourceTrouble, type Target } from '../sources/source.ts';
import type { Sources } from '../sources/sources.ts';

export interface LookNeeds extends Pick<Base, 'config' | 'database' | 'log'> {
  media: Pick<Media, 'seal'>;
  posts: Pick<Posts, 'store' | 'arrived'>;
  sources: Pick<Sources, 'byPlatform'>;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** After saving. */
const LOOKS_MS = [HOUR_MS, DAY_MS, 7 * DAY_MS, 30 * DAY_MS];
const CLAIMED_MS = 5 * 60_000;
const LOOK_MS = 20_000;
const AT_ONCE = { x: 100, bluesky: 25 } as const;

/** When a post's platform is asked again; null: it was asked for the last time. */
export function nextLook(savedAt: Date, now: Date): Date | null {
  const after = LOOKS_MS.find((ms) => savedAt.getTime() + ms > now.getTime());
  return after === undefined ? null : new Date(savedAt.getTime() + after);
}

export function lookDue(dueAt: Date | null): { lookDueAt?: Date } {
  return dueAt ? { lookDueAt: dueAt } : {};
}

/** Asks the platforms what has become of the posts that are due. */
export async function lookAgain(needs: LookNeeds, stopped: AbortSignal): Promise<void> {
  for (const source of needs.sources.byPlatform.values()) {
    const signal = AbortSignal.any([stopped, AbortSignal.timeout(LOOK_MS)]);
    try {
      await lookAtShown(needs, source, signal);
      await lookAtSealed(needs, source, signal);
    } catch (error) {
      if (!(error instanceof SourceTrouble)) throw error;
      // What was to be looked at comes again in a few minutes.
      needs.log.warn({ err: error, platform: source.platform }, 'posts could not be looked at again');
    }
  }
}

async function lookAtShown(needs: LookNeeds, source: Source, signal: AbortSignal): Promise<void> {
  const now = needs.database.clock.now();
  const until = new Date(now.getTime() + CLAIMED_MS);
  const posts = await needs.posts.arrived.claimLooks(source.platform, AT_ONCE[source.platform], now, until);
  const looks = await lookAt(source, posts, signal);
  for (const post of posts) {
    const look = looks.get(post.id);
    if (look) await take(needs, post, look, now);
  }
}

async function take(needs: LookNeeds, post: PostDocument, look: Look, now: Date): Promise<void> {
  const { config, log, media, posts } = needs;
  const dueAt = nextLook(post.savedAt ?? post.createdAt, now);
  if (look.state === 'deleted' || look.state === 'protected') {
    log.info({ post: post.id, state: look.state }, 'its author has taken a post away');
    if (!config.sources.hidesDeleted) {
      return posts.arrived.setSource(post._id, { state: look.state, checkedAt: now }, { dueAt });
    }
    // The look holds for the post as it was claimed.
    const current = await posts.store.find(post._id.toHexString());
    if (!current || 'removedAt' in current) return;
    if (await posts.arrived.seal(current, look.state, new Date(now.getTime() + DAY_MS))) {
      await media.seal(post._id.toHexString(), true);
    }
    return;
  }
  const words = look.state === 'edited' ? look.post.post.content : post.content;
  const latest = post.versions?.at(-1)?.content ?? post.content;
  // What is shown is what was asked for; the later words stand beside it.
  const versions = words === latest ? undefined : [...(post.versions ?? []), { at: now, content: words }].slice(-20);
  const isEdited = words !== post.content || post.source?.state === 'edited';
  const state = isEdited ? ('edited' as const) : ('live' as const);
  await posts.arrived.setSource(post._id, { state, checkedAt: now }, { dueAt, ...(versions && { versions }) });
}

/** What its author has brought back is shown again; what they have not for so long is gone for good. */
async function lookAtSealed(needs: LookNeeds, source: Source, signal: AbortSignal): Promise<void> {
  const { config, database, media, posts } = needs;
  const now = database.clock.now();
  const until = new Date(now.getTime() + DAY_MS);
  const sealed = await posts.arrived.claimSealed(source.platform, AT_ONCE[source.platform], now, until);
  const looks = await lookAt(
    source,
    sealed.map(({ post }) => post),
    signal,
  );
  for (const { post, at } of sealed) {
    const look = looks.get(post.id);
    if (look?.state === 'live' || look?.state === 'edited') {
      await posts.arrived.unseal(post._id, nextLook(now, now) ?? until);
      await media.seal(post._id.toHexString(), false);
    } else if (now.getTime() - at.getTime() > config.sources.sealedDays * DAY_MS) {
      await posts.arrived.endSeal(post);
    }
  }
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
