import type { AnswerOf } from '@archive/contracts';
import { answerPosts, type ReactionCounter } from './answer-posts.ts';
import { findLivePost } from './live-post.ts';
import type { PostStore } from './post-store.ts';

interface Needs {
  posts: { store: PostStore };
  reactions: ReactionCounter;
}

/** The kept posts of the author's thread that holds this post, in order; the post alone if it has no thread. */
export async function getThread(context: Needs, id: string): Promise<AnswerOf<'getThread'>> {
  const { store } = context.posts;
  const post = await findLivePost(store, id);
  if (post.threadRoot === undefined) return { data: await answerPosts(context, [post]) };
  const places = await store.findThreads([post.threadRoot]);
  const posts = await store.findInOrder(places.map(({ _id }) => _id.id));
  return { data: await answerPosts(context, posts) };
}
