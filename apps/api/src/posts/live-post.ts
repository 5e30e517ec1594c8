import type { Post } from '@archive/contracts';
import { AppError } from '../app-error.ts';
import { isRemoved, type PostDocument, type ReactionCounter, type StoredPost, toPost } from './post-document.ts';
import type { PostStore } from './post-store.ts';

interface Needs {
  posts: { store: PostStore };
  reactions: ReactionCounter;
}

/** One post by `_id` or platform id, as it is answered. */
export async function findPost({ posts, reactions }: Needs, id: string): Promise<Post> {
  const post = await findLivePost(posts.store, id);
  return toPost(post, await reactions.store.countOf([post._id]));
}

/** The post itself, or the refusal that fits: unknown is 404, removed is 410. */
export async function findLivePost(store: PostStore, id: string): Promise<PostDocument> {
  const post = livePost(await store.find(id));
  if (post instanceof AppError) throw post;
  return post;
}

export function noSuchPost(): AppError {
  return new AppError('post_not_found', 'There is no such post in the archive.');
}

export function livePost(post: StoredPost | null): PostDocument | AppError {
  if (!post) return noSuchPost();
  return isRemoved(post) ? new AppError('post_removed', 'This post was removed from the archive.') : post;
}
