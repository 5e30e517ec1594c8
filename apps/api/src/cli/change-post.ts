import type { ObjectId } from 'mongodb';
import type { Database } from '../db/database.ts';
import { pinnedWords } from '../launches/launch-document.ts';
import { LaunchStore } from '../launches/launch-store.ts';
import type { LedgerWriter } from '../ledger/ledger-entry.ts';
import { PostChanges } from '../posts/post-changes.ts';
import { isRemoved } from '../posts/post-document.ts';
import { PostStore } from '../posts/post-store.ts';
import { SealedPostStore } from '../posts/sealed-post-store.ts';

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
  if (change === 'remove' && post && isRemoved(post) && post.sealed)
    return removeSealed(database, ledger, id, post._id);
  if (!post || isRemoved(post)) {
    process.stdout.write(post ? `Post ${id} was removed before.\n` : `There is no post ${id}.\n`);
    return false;
  }
  const isDone =
    change === 'remove'
      ? await store.remove(post._id)
      : (await store.setFeatured(post._id, change === 'feature')) !== null;
  process.stdout.write(isDone ? `Post ${id} ${DONE[change]}.\n` : `Post ${id} was removed meanwhile.\n`);
  if (isDone && change === 'remove') await forgetWords(new LaunchStore(database.db), post._id);
  return isDone;
}

/** What its author took away is kept aside for a while; from now on it is gone. */
async function removeSealed(database: Database, ledger: LedgerWriter, id: string, _id: ObjectId): Promise<boolean> {
  const sealed = new SealedPostStore(database.db, database.clock, new PostChanges(), ledger);
  const post = await sealed.find(_id);
  if (post) await sealed.remove(post);
  process.stdout.write(`Post ${id} ${DONE.remove}.\n`);
  await forgetWords(new LaunchStore(database.db), _id);
  return true;
}

/** What its token says of the post goes with it; what was pinned we cannot take back, and say so. */
export async function forgetWords(launches: LaunchStore, post: ObjectId): Promise<void> {
  for (const launch of await launches.forgetWords([post])) {
    const uri = pinnedWords(launch);
    const words = `Its token ${launch.mint} says its words at ${uri}, where only the pinning service can remove them.\n`;
    if (uri) process.stdout.write(words);
  }
}
