import type { Collection, Db } from 'mongodb';
import { RestoredPostStore } from '../posts/restored-post-store.ts';

/**
 * Unique keys of rows that a later row may take over once the first is gone. A user's wallet and the post of a payment
 * never change owner, and rate limits are not in a backup.
 */
const ROWS = { reactions: ['post', 'wallet', 'type'], launches: ['mint'] } as const;

/** Number of documents that newer ones have replaced, by collection; collections without any are left out. */
export type Dropped = Record<string, number>;

/**
 * Drops documents that were replaced during the backup. A backup that is not of one moment may hold both a removed
 * document and its replacement. It is read by `_id`, so of two conflicting documents the one with the greater `_id` was
 * read later and is valid, whatever the clocks said. Unique indexes can be created only after this.
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
