import type { Post } from '@archive/contracts';
import { AppError } from '../app-error.ts';
import type { Asker } from '../question-queue.ts';
import { answerPosts, type ReactionCounter } from './answer-posts.ts';
import type { Posts } from './posts.ts';

/** Attempts, since the drawn post may have been removed just now. */
const TRIES = 5;

interface Needs {
  posts: Pick<Posts, 'store' | 'index'>;
  reactions: ReactionCounter;
}

/** A random live post; all are equally likely. */
export async function getRandom(context: Needs, asker: Asker, chance: () => number = Math.random): Promise<Post> {
  const { store, index } = context.posts;
  for (let tries = 0; tries < TRIES; tries++) {
    const oid = await index.ask('at', { place: chance() }, asker);
    const [post] = oid ? await answerPosts(context, await store.findInOrder([oid])) : [];
    if (post) return post;
    if (!oid) break;
  }
  throw new AppError('post_not_found', 'The archive holds no post yet.');
}
