import type { AdminPost } from '@archive/contracts';
import type { ReactionCounter } from '../posts/answer-posts.ts';
import { noSuchPost } from '../posts/live-post.ts';
import type { Posts } from '../posts/posts.ts';
import type { Asker } from '../question-queue.ts';
import { standingOf } from './hide-post.ts';
import { findWhole } from './list-reports.ts';

interface Needs {
  posts: Pick<Posts, 'store' | 'sealed' | 'index' | 'follower'>;
  reactions: ReactionCounter;
}

/** A whole post for operators, also if it is not shown to others. */
export async function showAdminPost(context: Needs, id: string, asker: Asker): Promise<AdminPost> {
  const { posts } = context;
  const found = await posts.store.find(id);
  if (!found) throw noSuchPost();
  const { stored, post } = (await findWhole(context, [found._id])).get(found._id.toHexString()) ?? {};
  return {
    post: post ?? null,
    ...standingOf(stored ?? null),
    author: post ? await authorOf(context, post.authorUsername, asker) : null,
  };
}

async function authorOf({ posts }: Needs, handle: string, asker: Asker): Promise<AdminPost['author']> {
  if (posts.follower.progress.phase !== 'ready') return null;
  const [figures, hidden] = await Promise.all([
    posts.index.ask('author', { handle }, asker),
    posts.sealed.countHiddenOf(handle),
  ]);
  return { shown: figures?.posts ?? 0, hidden };
}
