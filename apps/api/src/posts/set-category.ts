import type { Category } from '@archive/contracts';
import type { Act } from '../audit/audit-entry.ts';
import type { Base } from '../base.ts';
import { findLivePost } from './live-post.ts';
import type { Posts } from './posts.ts';

/** Sets or clears the category of a post. */
export async function setCategory(
  { audit, posts }: Pick<Base, 'audit'> & { posts: Pick<Posts, 'store'> },
  id: string,
  category: Category | null,
  by: Pick<Act, 'actor' | 'reason' | 'requestId'>,
): Promise<void> {
  const post = await findLivePost(posts.store, id);
  if (post.category === category) return;
  const subject = { kind: 'post', id: post._id.toHexString() };
  const states = { before: { category: post.category }, after: { category } };
  await audit.perform({ ...by, act: 'set category', subject, ...states }, () =>
    posts.store.setCategory(post._id, category),
  );
}
