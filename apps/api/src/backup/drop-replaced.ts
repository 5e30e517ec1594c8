import type { Collection, Db } from 'mongodb';
import { RestoredPostStore } from '../posts/restored-post-store.ts';

/**
 * Rows that are told apart by these fields, which another row may take over once the first is gone. A user's wallet and the post
 * of a payment are never another's, and limits of calls are not in a backup.
 */
const ROWS = { reactions: ['post', 'wallet', 'type'], launches: ['mint'] } as const;

/** How many documents of a collection gave way to newer ones; collections without any are left out. */
export type Dropped = Record<string, number>;

/**
 * Drops what had been replaced before the backup came to its end. Where a backup is not of one moment it holds what was taken
 * away after it was read, and what took its place as well. It is read by `_id`: of two that cannot both have been there, the
 * one with the greater `_id` was read later and is the truth, whatever any clock said. No unique index can be made before.
 */
export async function dropReplaced(db: Db, removedAt: Date): Promise<Dropped> {
  const dropped: Dropped = { posts: await new RestoredPostStore(db).yieldToNewer(removedAt) };
  for (const [name, fields] of Object.entries(ROWS)) dropped[name] = await dropOlder(db.collection(name), fields);
  return Object.fromEntries(Object.entries(dropped).filter(([, count]) => count > 0));
}

async function dropOlder(rows: Collection, fields: readonly string[]): Promise<number> {
  const key = Object.fromEntries(fields.map((field) => [field, `$${field}`]));
  const groups = rows.aggregate<{ older: never[] }>(
    [
      { $group: { _id: key, ids: { $push: '$_id' }, newest: { $max: '$_id' } } },
      { $match: { 'ids.1': { $exists: true } } },
      { $project: { older: { $setDifference: ['$ids', ['$newest']] } } },
    ],
    { allowDiskUse: true },
  );
  let count = 0;
  for await (const { older } of groups) count += (await rows.deleteMany({ _id: { $in: older } })).deletedCount;
  return count;
}
