import type { Database } from '../db/database.ts';
import type { LedgerWriter } from '../ledger/ledger-entry.ts';
import { isRemoved } from '../posts/post-document.ts';
import { PostStore } from '../posts/post-store.ts';

const DONE = { feature: 'is featured', unfeature: 'is no longer featured', remove: 'is removed' } as const;

/** Features, unfeatures or removes one post; a running server shows it within 2 seconds. */
export async function changePost(
  database: Database,
  ledger: LedgerWriter,
  change: keyof typeof DONE,
  id: string,
): Promise<boolean> {
  const store = new PostStore(database.db, database.clock, undefined, ledger);
  const post = await store.find(id);
  if (!post || isRemoved(post)) {
    process.stdout.write(post ? `Post ${id} was removed before.\n` : `There is no post ${id}.\n`);
    return false;
  }
  const isDone =
    change === 'remove'
      ? await store.remove(post._id)
      : (await store.setFeatured(post._id, change === 'feature')) !== null;
  process.stdout.write(isDone ? `Post ${id} ${DONE[change]}.\n` : `Post ${id} was removed meanwhile.\n`);
  return isDone;
}
