import { ObjectId } from 'mongodb';
import { AppError } from '../app-error.ts';
import type { Audit } from '../audit/audit.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { LaunchStore } from '../launches/launch-store.ts';
import { type LedgerWriter, NO_LEDGER } from '../ledger/ledger-entry.ts';
import { PostChanges } from '../posts/post-changes.ts';
import { isObjectId } from '../posts/post-document.ts';
import { PostStore } from '../posts/post-store.ts';
import { SealedPostStore } from '../posts/sealed-post-store.ts';
import { ReactionStore } from '../reactions/reaction-store.ts';
import { decideReport } from '../reports/decide-report.ts';
import { type By, hidePost, unhidePost } from '../reports/hide-post.ts';
import { listReports } from '../reports/list-reports.ts';
import { PostsByHour } from '../reports/posts-by-hour.ts';
import { ReportStore } from '../reports/report-store.ts';
import { openMedia } from './open-media.ts';
import type { Why } from './operators.ts';

interface Context {
  config: Config;
  database: Database;
  ledger: LedgerWriter;
  audit: Audit;
}

const SHOWN_LETTERS = 60;

/** Prints the reported posts that wait for a decision, one a line. */
export async function showReports(database: Database): Promise<boolean> {
  const { posts, reactions } = storesOf(database);
  const reports = reportsOf(database);
  const { data, total } = await listReports({ database, posts, reactions, reports }, { state: 'open' });
  for (const { _id, reason, networks, firstAt, postState, post } of data) {
    const words = (post?.content ?? '').replace(/\s+/g, ' ').slice(0, SHOWN_LETTERS);
    process.stdout.write(
      `${_id}  ${reason.padEnd(13)}  ${`${networks} ${networks === 1 ? 'network' : 'networks'}`.padEnd(11)}  ${firstAt}  ${postState.padEnd(9)}  ${words}\n`,
    );
  }
  process.stderr.write(`${total} open.\n`);
  return true;
}

export type DecideOptions = Why & { law?: boolean; answer?: string };

/** Decides the reports of a post as they are now. `named` is the post’s id, or `R-` and the number of a report. */
export function decide(
  context: Context,
  named: string,
  act: 'hide' | 'dismiss',
  { reason, law = false, answer }: DecideOptions,
): Promise<boolean> {
  return change(reason, async (by) => {
    const reports = reportsOf(context.database);
    const id = (await reports.store.postOf(named)) ?? named;
    const found = isObjectId(id) ? await reports.store.find(new ObjectId(id)) : null;
    const asked = { act, law, answer, seen: found?.round ?? 0 } as const;
    await decideReport({ ...hidingNeeds(context), reports }, id, asked, by);
    return act === 'hide' ? `Post ${id} is hidden, and its reports are done.` : `The reports of post ${id} are done.`;
  });
}

export function hide(context: Context, id: string, { reason, law }: Why & { law?: boolean }): Promise<boolean> {
  return change(reason, async (by) => {
    await hidePost(hidingNeeds(context), id, law ? 'law' : 'rules', by);
    return `Post ${id} is hidden.`;
  });
}

export function unhide(context: Context, id: string, { reason }: Why): Promise<boolean> {
  return change(reason, async (by) => {
    const isChanged = await unhidePost(hidingNeeds(context), id, by);
    // The post may still be out of sight, if its author has taken it away meanwhile.
    return `Post ${id} ${isChanged ? 'is no longer' : 'was not'} hidden.`;
  });
}

function hidingNeeds({ config, database, ledger, audit }: Context) {
  return {
    audit,
    media: openMedia(database, config),
    posts: storesOf(database, ledger).posts,
    launches: { store: new LaunchStore(database.db) },
  };
}

function reportsOf({ db }: Database) {
  return { store: new ReportStore(db), postsByHour: new PostsByHour(db) };
}

function storesOf({ db, clock }: Database, ledger: LedgerWriter = NO_LEDGER) {
  const changes = new PostChanges();
  return {
    posts: {
      store: new PostStore(db, clock, changes, ledger),
      sealed: new SealedPostStore(db, clock, changes, ledger),
    },
    reactions: { store: new ReactionStore(db) },
  };
}

async function change(reason: string | undefined, run: (by: By) => Promise<string>): Promise<boolean> {
  try {
    process.stdout.write(`${await run({ actor: { kind: 'command line' }, reason })}\n`);
    return true;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    process.stdout.write(`${error.message}\n`);
    return false;
  }
}
