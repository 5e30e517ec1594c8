import { ArchiveStore } from '../archives/archive-store.ts';
import { isRemoved } from '../archives/post-document.ts';
import type { Database } from '../db/database.ts';

const DONE = { feature: 'is featured', unfeature: 'is no longer featured', remove: 'is removed' } as const;

/** Features, unfeatures or removes one post; a running server shows it within 2 seconds. */
export async function changePost(database: Database, change: keyof typeof DONE, id: string): Promise<boolean> {
  const archives = new ArchiveStore(database.db, database.clock);
  const post = await archives.find(id);
  if (!post || isRemoved(post)) {
    process.stdout.write(post ? `Post ${id} was removed before.\n` : `There is no post ${id}.\n`);
    return false;
  }
  const isDone =
    change === 'remove'
      ? await archives.remove(post._id)
      : (await archives.setFeatured(post._id, change === 'feature')) !== null;
  process.stdout.write(isDone ? `Post ${id} ${DONE[change]}.\n` : `Post ${id} was removed meanwhile.\n`);
  return isDone;
}
