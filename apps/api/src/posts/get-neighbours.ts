import type { AnswerOf } from '@archive/contracts';
import type { Asker } from '../question-queue.ts';
import { answerPosts, type ReactionCounter } from './answer-posts.ts';
import { findLivePost } from './live-post.ts';
import type { Posts } from './posts.ts';

interface Needs {
  posts: Pick<Posts, 'store' | 'index'>;
  reactions: ReactionCounter;
}

/** The kept posts just before and just after a post in time; null at the ends of the archive. */
export async function getNeighbours(context: Needs, id: string, asker: Asker): Promise<AnswerOf<'getNeighbours'>> {
  const { store, index } = context.posts;
  const post = await findLivePost(store, id);
  const { before, after } = await index.ask('neighbours', { at: post.timestamp.getTime(), oid: post._id.id }, asker);
  const found = await store.findInOrder([before, after].filter((oid) => oid !== null));
  const posts = new Map((await answerPosts(context, found)).map((other) => [other._id, other]));
  const answer = (oid: Uint8Array | null) => (oid && posts.get(Buffer.from(oid).toString('hex'))) ?? null;
  return { before: answer(before), after: answer(after) };
}
