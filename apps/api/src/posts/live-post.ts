import { type Post, PRODUCT_NAME } from '@archive/contracts';
import { AppError } from '../app-error.ts';
import { answerPosts, type ReactionCounter } from './answer-posts.ts';
import { isRemoved, type PostDocument, type StoredPost } from './post-document.ts';
import type { PostStore } from './post-store.ts';

interface Needs {
  posts: { store: PostStore };
  reactions: ReactionCounter;
}

const NOT_SHOWN = ['post_not_found', 'post_removed', 'post_hidden', 'post_withheld'] as const;
type NotShown = (typeof NOT_SHOWN)[number];

/** Messages that tell why a post is gone. A day is written as "26 November 2026". */
const REMOVED = {
  removed: (day: string) => `This post was removed from the archive on ${day}.`,
  deleted: (day: string) => `Deleted by its author. ${PRODUCT_NAME} has not shown it since ${day}.`,
  protected: (day: string) => `Its author shows it to some people only. ${PRODUCT_NAME} has not shown it since ${day}.`,
};

/** One answered post, by `_id` or platform id. */
export async function findPost(context: Needs, id: string): Promise<Post> {
  const [post] = await answerPosts(context, [await findLivePost(context.posts.store, id)]);
  return post as Post;
}

/** The live post. Throws the fitting refusal otherwise: 404 for an unknown post, 410 for a removed one. */
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
  if (!isRemoved(post)) return post;
  if (post.sealed !== 'hidden')
    return new AppError('post_removed', REMOVED[post.sealed ?? 'removed'](dayOf(post.removedAt)));
  return post.hiddenFor === 'law'
    ? new AppError('post_withheld', 'This post is not shown here for legal reasons.')
    : new AppError('post_hidden', 'This post is hidden. If all is well, it comes back whole.');
}

function dayOf(moment: Date): string {
  return moment.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
}

/** Whether the error says that a post is not shown: unknown, gone or hidden. */
export function isNotShown(error: unknown): error is AppError & { code: NotShown } {
  return error instanceof AppError && (NOT_SHOWN as readonly string[]).includes(error.code);
}
