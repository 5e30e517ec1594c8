import { statfs } from 'node:fs/promises';
import { type AnswerOf, REPORTS_HIDE_PER_DAY, type SaveReason } from '@archive/contracts';
import type { Document } from 'mongodb';
import { awayAgents, toAwayAgent } from '../agent/agent-store.ts';
import type { Base } from '../base.ts';
import type { Featuring } from '../featuring/featuring.ts';
import { LAUNCHES_UNDER_WAY } from '../launches/launch-document.ts';
import type { Launches } from '../launches/launches.ts';
import type { Posts } from '../posts/posts.ts';
import type { Reports } from './reports.ts';

const HOUR_MS = 3_600_000;
const HOURS = 24;

/** Waiting items are counted up to this. */
const COUNTED = 1_000;

interface Needs extends Pick<Base, 'config' | 'database'> {
  featuring: Pick<Featuring, 'payments'>;
  launches: Pick<Launches, 'store'>;
  posts: Pick<Posts, 'follower' | 'index'>;
  reports: Reports;
}

/** Figures of the last 24 hours, the current one last, and the state of this process. */
export async function showToday({
  config,
  database,
  featuring,
  launches,
  posts: { follower, index },
  reports,
}: Needs): Promise<AnswerOf<'adminToday'>> {
  const { db, clock } = database;
  const now = clock.now();
  const first = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS - (HOURS - 1) * HOUR_MS;
  const since = new Date(first);
  const { payments: paid } = featuring.payments;
  const { launches: launched } = launches.store;
  const recent = { $match: { createdAt: { $gte: since } } };
  const limit = { limit: COUNTED };
  const [reportsOpen, hidden, posts, saves, payments, unsettled, credits, underWay, launchedToday, disk, away] =
    await Promise.all([
      reports.store.count('open', now),
      reports.store.countHidden(),
      reports.postsByHour.count(first / HOUR_MS, HOURS, now),
      db
        .collection('saves')
        .aggregate([recent, ...byHour])
        .toArray(),
      paid.aggregate([recent, ...byHour]).toArray(),
      paid.countDocuments({ state: { $in: ['confirmed', 'applied'] } }, limit),
      paid.countDocuments({ state: 'credit', use: null }, limit),
      launched.countDocuments({ state: { $in: [...LAUNCHES_UNDER_WAY] } }, limit),
      launches.store.countSince(since),
      statfs(config.dataDir),
      awayAgents({ config, database }),
    ]);
  const at = (found: Document[], hour: number) => found.find(({ _id }) => Number(_id) === hour);
  return {
    reportsOpen,
    hiddenByReports: { today: hidden, atMost: REPORTS_HIDE_PER_DAY, isOver: hidden >= REPORTS_HIDE_PER_DAY },
    payments: { unsettled, credits },
    launches: { unsettled: underWay, today: launchedToday },
    indexBehindMs: Math.round(follower.behindMs),
    // A running build is no trouble while lists are available.
    search: follower.isAway ? follower.trouble : index.trouble,
    agentsAway: away.map(toAwayAgent),
    disk: {
      freeBytes: disk.bavail * disk.bsize,
      totalBytes: disk.blocks * disk.bsize,
      floorBytes: config.diskFloorBytes,
    },
    hours: Array.from({ length: HOURS }, (_, index) => {
      const hour = first / HOUR_MS + index;
      const own = at(saves, hour);
      return {
        from: new Date(hour * HOUR_MS).toISOString(),
        posts: posts[index] ?? 0,
        saves: own?.['count'] ?? 0,
        failedSaves: own?.['failed'] ?? 0,
        payments: at(payments, hour)?.['count'] ?? 0,
      };
    }),
  };
}

/** Reasons of requests that were ended on purpose. */
const ENDED: SaveReason[] = ['taken_back', 'cancelled'];

/** Counts by hour since 1970, with the failed ones. */
const byHour: Document[] = [
  {
    $group: {
      _id: { $floor: { $divide: [{ $toLong: '$createdAt' }, HOUR_MS] } },
      count: { $sum: 1 },
      failed: {
        $sum: { $cond: [{ $and: [{ $eq: ['$state', 'failed'] }, { $not: { $in: ['$reason', ENDED] } }] }, 1, 0] },
      },
    },
  },
];
