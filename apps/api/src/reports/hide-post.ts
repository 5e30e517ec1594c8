import { type HiddenFor, isLaunched, type PostState } from '@archive/contracts';
import type { ObjectId } from 'mongodb';
import type { Act } from '../audit/audit-entry.ts';
import type { Base } from '../base.ts';
import type { LaunchStore } from '../launches/launch-store.ts';
import type { Media } from '../media/media.ts';
import { noSuchPost } from '../posts/live-post.ts';
import { isRemoved, type StoredPost } from '../posts/post-document.ts';
import type { Posts } from '../posts/posts.ts';
import { showMediaAsPost } from '../posts/show-media-as-post.ts';

export interface HidingNeeds extends Pick<Base, 'audit'> {
  posts: Pick<Posts, 'store' | 'sealed'>;
  media: Pick<Media, 'seal'>;
  launches: { store: LaunchStore };
}

/** The actor, the reason and the request of an act. */
export type By = Pick<Act, 'actor' | 'reason' | 'requestId'>;

/** The state of a post in the archive. */
export interface Standing {
  state: PostState;
  hiddenFor: HiddenFor | null;
}

export function standingOf(post: StoredPost | null): Standing {
  if (!post) return { state: 'removed', hiddenFor: null };
  if (!isRemoved(post)) return { state: 'shown', hiddenFor: null };
  return { state: post.sealed ?? 'removed', hiddenFor: post.hiddenFor ?? null };
}

/** Hides a post. If it is hidden already, only the reason changes. */
export async function hidePost(context: HidingNeeds, id: string, hiddenFor: HiddenFor, by: By): Promise<void> {
  const post = await findKept(context, id);
  const act = { ...by, act: 'hide post', subject: { kind: 'post', id: post._id.toHexString() } };
  const states = { before: { ...standingOf(post) }, after: { state: 'hidden', hiddenFor } };
  const isHidden = await context.audit.perform({ ...act, ...states }, () => hideQuietly(context, post._id, hiddenFor));
  if (!isHidden) throw noSuchPost();
}

/** Ends the hiding of a post. Returns false if it is not hidden. */
export async function unhidePost(context: HidingNeeds, id: string, by: By): Promise<boolean> {
  const post = await findKept(context, id);
  const before = standingOf(post);
  if (before.state !== 'hidden') return false;
  const act = { ...by, act: 'unhide post', subject: { kind: 'post', id: post._id.toHexString() } };
  await context.audit.perform({ ...act, before: { ...before }, after: { state: 'shown' } }, () =>
    unhideQuietly(context, post._id),
  );
  return true;
}

/** Hides a post without an audit entry. Returns false if it was removed for good. */
export async function hideQuietly(
  { posts, media }: Pick<HidingNeeds, 'posts' | 'media'>,
  id: ObjectId,
  hiddenFor: HiddenFor,
): Promise<boolean> {
  // Media are sealed first. If the process is killed in between, they stay out of sight until the decision is repeated.
  await media.seal(id.toHexString(), true);
  const isHidden = await posts.sealed.hide(id, hiddenFor);
  if (!isHidden) await showMediaAsPost({ media, posts }, id);
  return isHidden;
}

export async function unhideQuietly({ posts, media, launches }: HidingNeeds, id: ObjectId): Promise<void> {
  await posts.sealed.unhide(id);
  await showMediaAsPost({ media, posts }, id);
  // While the post was hidden, a change of its token could not be marked on it.
  const launch = await launches.store.find(id);
  if (launch) await posts.store.setLaunched(id, isLaunched(launch.state));
}

/** Removes a post for good, whatever its state. */
export async function removeQuietly({ posts, launches }: HidingNeeds, id: ObjectId): Promise<void> {
  for (;;) {
    const post = await posts.store.find(id.toHexString());
    if (!post || (isRemoved(post) && !post.sealed)) break;
    if (isRemoved(post)) await posts.sealed.remove((await posts.sealed.find(id)) ?? post);
    else await posts.store.remove(id);
  }
  await launches.store.forgetWords([id]);
}

async function findKept({ posts }: HidingNeeds, id: string): Promise<StoredPost> {
  const post = await posts.store.find(id);
  if (!post || standingOf(post).state === 'removed') throw noSuchPost();
  return post;
}
