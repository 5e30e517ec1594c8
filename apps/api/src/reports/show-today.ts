import { type AnswerOf, REPORTS_HIDE_PER_DAY } from '@archive/contracts';
import { type Document, ObjectId } from 'mongodb';
import type { Base } from '../base.ts';
import type { Reports } from './reports.ts';

const HOUR_MS = 3_600_000;
const HOURS = 24;

interface Needs extends Pick<Base, 'database'> {
  reports: Reports;
}

/** Figures of the last day, of which the hour under way is the last. */
export async function showToday({ database, reports }: Needs): Promise<AnswerOf<'adminToday'>> {
  const { db, clock } = database;
  const now = clock.now();
  const first = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS - (HOURS - 1) * HOUR_MS;
  const since = new Date(first);
  // An `_id` tells when it was made.
  const made = { _id: { $gte: ObjectId.createFromTime(first / 1000) }, removedAt: { $exists: false } };
  const [reportsOpen, hidden, posts, saves] = await Promise.all([
    reports.store.count('open', now),
    reports.store.countHidden(),
    db
      .collection('posts')
      .aggregate([{ $match: made }, ...byHour({ $toDate: '$_id' })])
      .toArray(),
    db
      .collection('saves')
      .aggregate([{ $match: { createdAt: { $gte: since } } }, ...byHour('$createdAt')])
      .toArray(),
  ]);
  const at = (found: Document[], hour: number) => found.find(({ _id }) => Number(_id) === hour);
  return {
    reportsOpen,
    hiddenByReports: { today: hidden, atMost: REPORTS_HIDE_PER_DAY, isOver: hidden >= REPORTS_HIDE_PER_DAY },
    hours: Array.from({ length: HOURS }, (_, index) => {
      const hour = first / HOUR_MS + index;
      const own = at(saves, hour);
      return {
        from: new Date(hour * HOUR_MS).toISOString(),
        posts: at(posts, hour)?.['count'] ?? 0,
        saves: own?.['count'] ?? 0,
        failedSaves: own?.['failed'] ?? 0,
      };
    }),
  };
}

/** Hours since 1970, each with its documents, and those of them that have failed. */
function byHour(date: string | Document): Document[] {
  const hour = { $floor: { $divide: [{ $toLong: date }, HOUR_MS] } };
  const failed = { $sum: { $cond: [{ $eq: ['$state', 'failed'] }, 1, 0] } };
  return [{ $group: { _id: hour, count: { $sum: 1 }, failed } }];
}
