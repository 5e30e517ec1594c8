import { createHash, randomBytes } from 'node:crypto';
import { type AnswerOf, type ParsedOf, REPORTS_HIDE_PER_DAY, reportName } from '@archive/contracts';
import type { ObjectId } from 'mongodb';
import { AppError } from '../app-error.ts';
import type { Base } from '../base.ts';
import { findLivePost } from '../posts/live-post.ts';
import { type HidingNeeds, hideQuietly } from './hide-post.ts';
import type { ReportedDocument } from './report-document.ts';
import type { Reports } from './reports.ts';

type Needs = HidingNeeds & Pick<Base, 'config' | 'log'> & { reports: Reports };

/** Length of the secret that only the reporter gets. */
const SECRET_BYTES = 16;

/**
 * Accepts a report of a shown post. If enough networks report a grave reason, the post is hidden until an operator
 * decides.
 */
export async function createReport(
  context: Needs,
  { postId, reason, words, contact }: ParsedOf<'createReport'>['body'],
  network: string,
): Promise<AnswerOf<'createReport'>> {
  const post = await findLivePost(context.posts.store, postId);
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  const taken = await context.reports.store.take({
    post: post._id,
    reason,
    words,
    contact,
    network: context.audit.hashOf(network),
    secret: hashSecret(secret),
  });
  if (!taken) {
    throw new AppError('rate_limited', 'This post was reported often from where you are; somebody will look at it.', {
      headers: { 'Retry-After': '86400' },
    });
  }
  await hideWhereMany(context, post._id, taken.reported);
  return { id: reportName(taken.number), statusPath: `/report/${secret}` };
}

/** A secret is random, so no slow hash is needed. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

async function hideWhereMany(context: Needs, post: ObjectId, { graveNetworks }: ReportedDocument): Promise<void> {
  const { audit, config, log, reports } = context;
  if (config.reportsHide === 0 || graveNetworks.length < config.reportsHide) return;
  const claim = await reports.store.claimHiding(post, REPORTS_HIDE_PER_DAY);
  if (claim === 'too many') {
    log.error({ post, alarm: 'reports hide too much' }, 'reports would hide more posts today than they may');
  }
  if (claim !== 'claimed') return;
  const act = {
    actor: { kind: 'system' as const },
    act: 'hide post',
    subject: { kind: 'post', id: post.toHexString() },
    before: { state: 'shown' },
    after: { state: 'hidden', hiddenFor: 'rules', networks: graveNetworks.length },
  };
  try {
    await audit.perform(act, () => hideQuietly(context, post, 'rules'));
  } catch (error) {
    // The report is accepted all the same; the next one tries to hide the post again.
    await reports.store.releaseHiding(post);
    log.error({ err: error, post }, 'a post could not be hidden for its reports');
  }
}
