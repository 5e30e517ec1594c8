import type { Db, IndexDescription } from 'mongodb';

/** Every index of every collection. */
const INDEXES: Record<string, IndexDescription[]> = {
  posts: [
    // One unique index over a post's own id and all others it is known by, so that no id ever names two posts.
    { key: { ids: 1 }, name: 'ids', unique: true },
    // Same content, author and handle: one post.
    { key: { fingerprint: 1 }, name: 'fingerprint', unique: true },
    // What followers of changes read.
    { key: { updatedAt: 1, _id: 1 }, name: 'updated' },
    // The order in which the derived index is built.
    { key: { timestamp: 1, _id: 1 }, name: 'time' },
  ],
  agent_keys: [],
  imports: [],
};

export async function ensureIndexes(db: Db): Promise<void> {
  for (const [collection, indexes] of Object.entries(INDEXES)) {
    if (indexes.length > 0) await db.collection(collection).createIndexes(indexes);
  }
}
