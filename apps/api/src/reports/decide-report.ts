import type { HiddenFor, ReportState } from '@archive/contracts';
import { ObjectId } from 'mongodb';
import { AppError } from '../app-error.ts';
import { isObjectId } from '../posts/post-document.ts';
import { type By, type HidingNeeds, hideQuietly, removeQuietly, standingOf, unhideQuietly } from './hide-post.ts';
import type { Decision, ReportedDocument } from './report-document.ts';
import type { Reports } from './reports.ts';

export type DecideNeeds = HidingNeeds & { reports: Reports };

interface Asked {
  act: Decision['act'];
  /** The round of the post when the operator saw it. */
  seen: number;
  /** Whether the post is hidden for legal reasons. */
  law?: boolean;
  /** Answer for the reporters. */
  answer?: string | undefined;
}

const ACTS = { hide: 'hide reported', dismiss: 'dismiss reports', remove: 'remove reported' } as const;
const OUTCOMES = { hide: 'hidden', dismiss: 'kept', remove: 'removed' } as const;

/** Decides all open reports of a post, once. A second operator gets the first decision, and nothing is done. */
export async function decideReport(
  context: DecideNeeds,
  post: string,
  asked: Asked,
  by: By,
): Promise<ReportedDocument> {
  const { audit, posts, reports } = context;
  const found = await findReported(context, post);
  if (found.round !== asked.seen || found.state === 'done') throw decidedBefore(found);
  const { _id } = found;
  const before = standingOf(await posts.store.find(post));
  const hiddenFor: HiddenFor = asked.law ? 'law' : 'rules';
  const isShownAgain = asked.act === 'dismiss' && isHiddenByReports(found) && before.hiddenFor === 'rules';
  const outcome = before.state === 'removed' ? 'removed' : OUTCOMES[asked.act];
  const decision: Omit<Decision, 'at'> = {
    act: asked.act,
    by: by.actor.id ?? by.actor.kind,
    ...(by.reason ? { reason: by.reason } : {}),
    ...(asked.answer ? { answer: asked.answer } : {}),
    ...(before.hiddenFor ? { hiddenBefore: before.hiddenFor } : {}),
  };
  const run = async (): Promise<Exclude<ReportState, 'open'>> => {
    if (asked.act === 'remove') await removeQuietly(context, _id);
    if (asked.act === 'hide' && !(await hideQuietly(context, _id, hiddenFor))) return 'removed';
    if (isShownAgain) await unhideQuietly(context, _id);
    return outcome;
  };
  const states = { before: { ...before }, after: { reports: outcome, ...(asked.act === 'hide' ? { hiddenFor } : {}) } };
  return audit.perform({ ...by, act: ACTS[asked.act], subject: { kind: 'post', id: post }, ...states }, async () => {
    const { round } = await claim(context, _id, asked.seen, 'open', decision);
    const told = await run().catch(async (error) => {
      await reports.store.release(_id, round, 'open');
      throw error;
    });
    await reports.store.finish(_id, round, told, asked.answer);
    return findReported(context, post);
  });
}

/**
 * Takes the last decision back: the reports are open again, and the post returns to its former state, unless it was
 * removed.
 */
export async function reopenReport(
  context: DecideNeeds,
  post: string,
  seen: number,
  by: By,
): Promise<ReportedDocument> {
  const { audit, posts, reports } = context;
  const found = await findReported(context, post);
  const { _id, decision } = found;
  const before = standingOf(await posts.store.find(post));
  if (found.round !== seen || found.state !== 'done' || !decision) throw decidedBefore(found);
  if (decision.act === 'remove' || before.state === 'removed') {
    throw new AppError('already_decided', 'The post was removed for good: that cannot be taken back.');
  }
  const act = { ...by, act: 'reopen reports', subject: { kind: 'post', id: post } };
  return audit.perform({ ...act, before: { ...before }, after: { reports: 'open' } }, async () => {
    const { round } = await claim(context, _id, seen, 'done', null);
    try {
      if (decision.hiddenBefore) await hideQuietly(context, _id, decision.hiddenBefore);
      else if (decision.act === 'hide') await unhideQuietly(context, _id);
    } catch (error) {
      await reports.store.release(_id, round, 'done');
      throw error;
    }
    await reports.store.reopen(_id, round, seen);
    return findReported(context, post);
  });
}

async function claim(
  context: DecideNeeds,
  post: ObjectId,
  seen: number,
  from: 'open' | 'done',
  decision: Omit<Decision, 'at'> | null,
): Promise<ReportedDocument> {
  const claimed = await context.reports.store.claim(post, seen, from, decision);
  if (!claimed) throw decidedBefore(await findReported(context, post.toHexString()));
  return claimed;
}

async function findReported({ reports }: DecideNeeds, post: string): Promise<ReportedDocument> {
  const found = isObjectId(post) ? await reports.store.find(new ObjectId(post)) : null;
  if (!found) throw new AppError('not_found', 'This post was not reported.');
  return found;
}

function isHiddenByReports({ hiddenByReportsAt, wasKept }: ReportedDocument): boolean {
  return hiddenByReportsAt !== undefined && !wasKept;
}

const DONE = { hide: 'hidden', dismiss: 'kept', remove: 'removed for good' } as const;

function decidedBefore({ decision }: ReportedDocument): AppError {
  const words = decision
    ? `${decision.by} has decided at ${decision.at.toISOString()}: the post is ${DONE[decision.act]}.`
    : 'Somebody has opened this again meanwhile.';
  return new AppError('already_decided', words);
}
