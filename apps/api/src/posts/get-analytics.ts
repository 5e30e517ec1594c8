import { type Analytics, CATEGORIES, TREND_DAYS } from '@archive/contracts';
import type { Asker } from '../archive-index/question-queue.ts';
import type { Base } from '../base.ts';
import { avatarOf } from './answer-posts.ts';
import type { Posts } from './posts.ts';

const DAY_MS = 86_400_000;

/** Top authors, posts by category, and posts of each of the last 30 UTC days. */
export async function getAnalytics(
  context: Pick<Base, 'now'> & { posts: Pick<Posts, 'store' | 'index'> },
  asker: Asker,
): Promise<Analytics> {
  const now = context.now();
  const { topAuthors, categories, days } = await context.posts.index.analytics(now, asker);
  // An author is shown as in their newest post.
  const newest = await context.posts.store.findInOrder(topAuthors.map((author) => author.newest));
  const byId = new Map(newest.map((post) => [post._id.toHexString(), post]));
  const postsOfDay = new Map(days.map(({ day, posts }) => [day, posts]));
  const today = Math.floor(now / DAY_MS);
  return {
    topAuthors: topAuthors.map(({ handle, posts, newest }) => {
      const post = byId.get(Buffer.from(newest).toString('hex'));
      return {
        author: post?.author ?? handle,
        username: post?.authorUsername ?? handle,
        avatar: post ? avatarOf(post) : null,
        count: posts,
      };
    }),
    contentTrends: categories.map(({ category, posts }) => ({ category: CATEGORIES[category] ?? null, count: posts })),
    timeTrends: Array.from({ length: TREND_DAYS }, (_, index) => {
      const day = today - TREND_DAYS + 1 + index;
      return { date: new Date(day * DAY_MS).toISOString().slice(0, 10), count: postsOfDay.get(day) ?? 0 };
    }),
  };
}
