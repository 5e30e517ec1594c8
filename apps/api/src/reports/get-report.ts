import { type AnswerOf, reportName } from '@archive/contracts';
import { AppError } from '../app-error.ts';
import type { Posts } from '../posts/posts.ts';
import { hashSecret } from './create-report.ts';
import { standingOf } from './hide-post.ts';
import type { Reports } from './reports.ts';

interface Needs {
  reports: Reports;
  posts: Pick<Posts, 'store'>;
}

/** The state of a report, for the holder of its secret. Says nothing about the post. */
export async function getReport({ reports, posts }: Needs, secret: string): Promise<AnswerOf<'getReport'>> {
  const report = /^[\w-]{22}$/.test(secret) ? await reports.store.findBySecret(hashSecret(secret)) : null;
  if (!report) throw new AppError('not_found', 'There is no report at this address.');
  const { number, post, createdAt, doneAt, answer } = report;
  // The post was removed without a decision on its reports.
  const isGone = report.state === 'open' && standingOf(await posts.store.find(post.toHexString())).state === 'removed';
  return {
    id: reportName(number),
    state: isGone ? 'removed' : report.state,
    createdAt: createdAt.toISOString(),
    decidedAt: doneAt?.toISOString() ?? null,
    answer: answer ?? null,
  };
}
