import { type Author, CATEGORIES } from '@archive/contracts';
import { AppError } from '../app-error.ts';
import type { Asker } from '../question-queue.ts';
import { avatarOf } from './answer-posts.ts';
import type { Posts } from './posts.ts';

/** The author as in the newest post, with figures over all the author's posts. */
export async function getAuthor(
  context: { posts: Pick<Posts, 'store' | 'index'> },
  handle: string,
  asker: Asker,
): Promise<Author> {
  const figures = await context.posts.index.ask('author', { handle }, asker);
  const [newest] = figures ? await context.posts.store.findInOrder([figures.newest]) : [];
  if (!figures || !newest) throw new AppError('not_found', 'No posts of this author are kept here.');
  return {
    author: newest.author,
    username: newest.authorUsername,
    avatar: avatarOf(newest),
    posts: figures.posts,
    reactions: figures.reactions,
    first: new Date(figures.first).toISOString(),
    last: new Date(figures.last).toISOString(),
    platforms: figures.platforms.map(({ platform, posts }) => ({ platform, count: posts })),
    categories: figures.categories.map(({ category, posts }) => ({
      category: CATEGORIES[category] ?? null,
      count: posts,
    })),
  };
}
