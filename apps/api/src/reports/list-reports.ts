import {
  type AnswerOf,
  type Post,
  REPORT_PAGE_SIZE,
  REPORT_REASONS,
  type ReportedPost,
  reportName,
} from '@archive/contracts';
import { ObjectId } from 'mongodb';
import type { Base } from '../base.ts';
import { answerPosts, type ReactionCounter } from '../posts/answer-posts.ts';
import { isRemoved, type StoredPost } from '../posts/post-document.ts';
import type { Posts } from '../posts/posts.ts';
import { standingOf } from './hide-post.ts';
import { type Decision, GRAVITY, type ReportDocument, type ReportedDocument } from './report-document.ts';
import type { PageKey } from './report-store.ts';
import type { Reports } from './reports.ts';

export interface ShowNeeds extends Pick<Base, 'database'> {
  posts: Pick<Posts, 'store' | 'sealed'>;
  reactions: ReactionCounter;
  reports: Reports;
}

/** A page of reported posts with their reports, including hidden posts. */
export async function listReports(
  context: ShowNeeds,
  { state, after }: { state: 'open' | 'done'; after?: string | undefined },
): Promise<AnswerOf<'listReports'>> {
  const { reports, database } = context;
  const now = database.clock.now();
  const list = () => reports.store.list(state, now, REPORT_PAGE_SIZE + 1, after ? readKey(after) : undefined);
  let found = await list();
  const gone = state === 'open' ? await removedOf(context, found) : [];
  if (gone.length > 0) {
    await reports.store.endOfRemoved(gone);
    found = await list();
  }
  const shown = found.slice(0, REPORT_PAGE_SIZE);
  const last = shown.at(-1);
  return {
    data: await describeReported(context, shown),
    total: await reports.store.count(state, now),
    next: last && found.length > shown.length ? printKey(state, last) : null,
  };
}

async function removedOf({ posts }: ShowNeeds, reported: readonly ReportedDocument[]): Promise<ObjectId[]> {
  if (reported.length === 0) return [];
  const ids = reported.map(({ _id }) => _id);
  const stored = await posts.store.findEach(ids.map((id) => id.toHexString()));
  return ids.filter((_, at) => standingOf(stored[at] ?? null).state === 'removed');
}

export async function describeReported(
  context: ShowNeeds,
  reported: readonly ReportedDocument[],
): Promise<ReportedPost[]> {
  const ids = reported.map(({ _id }) => _id);
  const [whole, all] = await Promise.all([findWhole(context, ids), context.reports.store.reportsOf(ids)]);
  return reported.map((one) => {
    const { stored, post } = whole.get(one._id.toHexString()) ?? { stored: null, post: null };
    const standing = standingOf(stored);
    const isOpen = one.state !== 'done';
    // Reports of earlier rounds are decided already.
    const own = all.filter((report) => report.post.equals(one._id) && isOpen === (report.state === 'open'));
    return {
      _id: one._id.toHexString(),
      state: isOpen ? 'open' : 'done',
      round: one.round,
      reason: REPORT_REASONS.find((reason) => GRAVITY[reason] === one.gravity) ?? 'wrong',
      counts: one.counts,
      networks: one.networks.length,
      firstAt: one.firstAt.toISOString(),
      isHiddenByReports: isOpen && standing.state === 'hidden' && one.hiddenByReportsAt !== undefined && !one.wasKept,
      reports: own.map(toReport),
      post,
      postState: standing.state,
      hiddenFor: standing.hiddenFor,
      decision: one.decision ? toDecision(one.decision) : null,
    };
  });
}

/** Posts by `_id`, as stored and as answered, including posts out of sight. */
export async function findWhole(
  { posts, reactions }: Pick<ShowNeeds, 'posts' | 'reactions'>,
  ids: readonly ObjectId[],
): Promise<Map<string, { stored: StoredPost | null; post: Post | null }>> {
  if (ids.length === 0) return new Map();
  const stored = await posts.store.findEach(ids.map((id) => id.toHexString()));
  const aside = stored.flatMap((post) => (post && isRemoved(post) && post.sealed ? [post._id] : []));
  const shown = stored.flatMap((post) => (post && !isRemoved(post) ? [post] : []));
  const documents = [...shown, ...(aside.length > 0 ? await posts.sealed.findEach(aside) : [])];
  const answered = await answerPosts({ posts, reactions }, documents);
  const byId = new Map(answered.map((post) => [post._id, post]));
  return new Map(
    ids.map((id, at) => [id.toHexString(), { stored: stored[at] ?? null, post: byId.get(id.toHexString()) ?? null }]),
  );
}

function toReport({ number, reason, words, contact, createdAt }: ReportDocument): ReportedPost['reports'][number] {
  return { name: reportName(number), reason, words, contact, createdAt: createdAt.toISOString() };
}

function toDecision({ act, by, at, reason, answer }: Decision): NonNullable<ReportedPost['decision']> {
  return { act, by, at: at.toISOString(), reason: reason ?? null, answer: answer ?? null };
}

function printKey(state: 'open' | 'done', { gravity, firstAt, changedAt, _id }: ReportedDocument): string {
  // A gravity may be fractional.
  return `${String(gravity).replace('.', '_')}.${(state === 'open' ? firstAt : changedAt).getTime()}.${_id.toHexString()}`;
}

function readKey(text: string): PageKey {
  const [gravity, ms, id] = text.split('.');
  return { gravity: Number(gravity?.replace('_', '.')), at: new Date(Number(ms)), id: new ObjectId(id) };
}
