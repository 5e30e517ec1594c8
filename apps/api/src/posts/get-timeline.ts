import { type AnswerOf, type ArchiveFilter, dayText } from '@archive/contracts';
import type { Base } from '../base.ts';
import type { Asker } from '../question-queue.ts';
import type { Posts } from './posts.ts';

/** Counts matching posts by the time at which they were written. */
export async function getTimeline(
  context: Pick<Base, 'now'> & { posts: Pick<Posts, 'index'> },
  filter: ArchiveFilter,
  asker: Asker,
): Promise<AnswerOf<'timeline'>> {
  const { bucket, counts } = await context.posts.index.ask('timeline', { filter, now: context.now() }, asker);
  return { bucket, counts: counts.map(({ from, posts }) => ({ from: dayText(from), count: posts })) };
}
