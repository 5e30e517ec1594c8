import type { AnswerOf } from '@archive/contracts';
import type { Asker } from '../archive-index/question-queue.ts';
import { avatarOf } from './answer-posts.ts';
import type { Posts } from './posts.ts';

/** What may be meant by what has been typed so far: authors after `from:`, or words. */
export async function suggest(
  context: { posts: Pick<Posts, 'store' | 'index'> },
  typed: { from?: string | undefined; word?: string | undefined },
  asker: Asker,
): Promise<AnswerOf<'suggest'>> {
  const { authors, words } = await context.posts.index.suggest(typed, asker);
  // An author is shown as in their newest post.
  const newest = await context.posts.store.findInOrder(authors.map((author) => author.newest));
  const byId = new Map(newest.map((post) => [post._id.toHexString(), post]));
  return {
    authors: authors.map(({ handle, posts, newest }) => {
      const post = byId.get(Buffer.from(newest).toString('hex'));
      return {
        author: post?.author ?? handle,
        username: post?.authorUsername ?? handle,
        avatar: post ? avatarOf(post) : null,
        count: posts,
      };
    }),
    words,
  };
}
