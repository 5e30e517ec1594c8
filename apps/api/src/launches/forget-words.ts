import type { ObjectId } from 'mongodb';
import type { Base } from '../base.ts';
import { pinnedWords } from './launch-document.ts';
import type { LaunchStore } from './launch-store.ts';

/** Deletes the text of removed posts from their launches. */
export async function forgetWords(
  { store, log }: Pick<Base, 'log'> & { store: LaunchStore },
  posts: readonly ObjectId[],
): Promise<void> {
  for (const launch of await store.forgetWords(posts)) {
    const metadataUri = pinnedWords(launch);
    if (metadataUri) log.warn({ mint: launch.mint, metadataUri }, 'the words of a removed post stay pinned');
  }
}
