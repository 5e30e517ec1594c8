import type { Base } from '../base.ts';
import type { Featuring } from '../featuring/featuring.ts';
import { json } from '../http/replies.ts';
import type { Routes } from '../http/route.ts';
import type { Launches } from '../launches/launches.ts';
import type { Media } from '../media/media.ts';
import type { Posts } from '../posts/posts.ts';
import { createReport } from './create-report.ts';
import { type DecideNeeds, decideReport, reopenReport } from './decide-report.ts';
import { getReport } from './get-report.ts';
import { hidePost, unhidePost } from './hide-post.ts';
import { describeReported, listReports, type ShowNeeds } from './list-reports.ts';
import type { ReportedDocument } from './report-document.ts';
import { showAdminPost } from './show-admin-post.ts';
import { showToday } from './show-today.ts';

type Needs = Base & DecideNeeds & ShowNeeds & { featuring: Featuring; launches: Launches; posts: Posts; media: Media };

export const reportRoutes = {
  createReport: {
    access: 'anyone',
    addressBudget: 'report',
    networkBudget: 'reportNetwork',
    run: async (context, { body, network }) => json(201, await createReport(context, body, network)),
  },
  getReport: {
    // No cache may store the answer, because it is for the reporter only.
    access: 'visitor',
    addressBudget: 'reportStatus',
    run: (context, { params }) => getReport(context, params.secret),
  },
  listReports: { access: 'operator', role: 'moderator', run: (context, { query }) => listReports(context, query) },
  decideReport: {
    access: 'operator',
    role: 'moderator',
    run: async (context, { params, body: { reason, ...asked }, actor, requestId }) =>
      described(context, await decideReport(context, params.post, asked, { actor, requestId, reason })),
  },
  removeReported: {
    access: 'operator',
    role: 'admin',
    isFresh: true,
    run: async (context, { params, body: { reason, ...asked }, actor, requestId }) =>
      described(
        context,
        await decideReport(context, params.post, { ...asked, act: 'remove' }, { actor, requestId, reason }),
      ),
  },
  reopenReport: {
    access: 'operator',
    role: 'moderator',
    run: async (context, { params, body: { seen, reason }, actor, requestId }) =>
      described(context, await reopenReport(context, params.post, seen, { actor, requestId, reason })),
  },
  getAdminPost: {
    access: 'operator',
    role: 'moderator',
    run: (context, { params, asker }) => showAdminPost(context, params.id, asker),
  },
  hidePost: {
    access: 'operator',
    role: 'moderator',
    run: async (context, { params, body, actor, requestId, asker }) => {
      await hidePost(context, params.id, body.for, { actor, requestId, reason: body.reason });
      return showAdminPost(context, params.id, asker);
    },
  },
  unhidePost: {
    access: 'operator',
    role: 'moderator',
    run: async (context, { params, body, actor, requestId, asker }) => {
      await unhidePost(context, params.id, { actor, requestId, reason: body.reason });
      return showAdminPost(context, params.id, asker);
    },
  },
  blockMedia: {
    access: 'operator',
    role: 'admin',
    isFresh: true,
    run: async ({ audit, media }, { params: { sha256 }, body, actor, requestId }) => {
      const act = { actor, requestId, reason: body.reason, act: 'block media', subject: { kind: 'media', id: sha256 } };
      const states = { before: { isBlocked: await media.isBlocked(sha256) }, after: { isBlocked: true } };
      await audit.perform({ ...act, ...states }, () => media.block(sha256));
    },
  },
  adminToday: { access: 'operator', role: 'moderator', run: (context) => showToday(context) },
} satisfies Routes<
  | 'createReport'
  | 'getReport'
  | 'listReports'
  | 'decideReport'
  | 'removeReported'
  | 'reopenReport'
  | 'getAdminPost'
  | 'hidePost'
  | 'unhidePost'
  | 'blockMedia'
  | 'adminToday',
  Needs
>;

async function described(context: Needs, reported: ReportedDocument) {
  const [answer] = await describeReported(context, [reported]);
  if (!answer) throw new Error('a reported post describes itself');
  return answer;
}
