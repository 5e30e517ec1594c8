import type { AnswerOf } from '@archive/contracts';
import type { Asker } from '../question-queue.ts';
import { answerAuthors } from './answer-authors.ts';
import type { Posts } from './posts.ts';

/** Suggestions for the text typed so far: authors after `from:`, or words. */
export async function suggest(
  context: { posts: Pick<Posts, 'store' | 'index'> },
  typed: { from?: string | undefined; word?: string | undefined },
  asker: Asker,
): Promise<AnswerOf<'suggest'>> {
  const { authors, words } = await context.posts.index.ask('suggest', typed, asker);
  return { authors: await answerAuthors(context.posts.store, authors), words };
}
