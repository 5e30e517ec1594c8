import { type Analytics, CATEGORIES, TREND_DAYS } from '@archive/contracts';
import type { Base } from '../base.ts';
import type { Asker } from '../question-queue.ts';
import { answerAuthors } from './answer-authors.ts';
import type { Posts } from './posts.ts';

const DAY_MS = 86_400_000;

/** Top authors, posts by category, and posts on each of the last 30 UTC days. */
export async function getAnalytics(
  context: Pick<Base, 'now'> & { posts: Pick<Posts, 'store' | 'index'> },
  asker: Asker,
): Promise<Analytics> {
  const now = context.now();
  const { topAuthors, categories, days } = await context.posts.index.ask('analytics', { now }, asker);
  const postsOfDay = new Map(days.map(({ day, posts }) => [day, posts]));
  const today = Math.floor(now / DAY_MS);
  return {
    topAuthors: await answerAuthors(context.posts.store, topAuthors),
    contentTrends: categories.map(({ category, posts }) => ({ category: CATEGORIES[category] ?? null, count: posts })),
    timeTrends: Array.from({ length: TREND_DAYS }, (_, index) => {
      const day = today - TREND_DAYS + 1 + index;
      return { date: new Date(day * DAY_MS).toISOString().slice(0, 10), count: postsOfDay.get(day) ?? 0 };
    }),
  };
}
