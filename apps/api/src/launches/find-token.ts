import { AppError } from '../app-error.ts';
import { isRemoved } from '../posts/post-document.ts';
import type { Posts } from '../posts/posts.ts';
import { type LaunchDocument, withoutWords } from './launch-document.ts';
import type { Launches } from './launches.ts';

/** The launch of a token of this archive, by its mint. */
export async function findToken(
  { launches }: { launches: Pick<Launches, 'store'> },
  mint: string,
): Promise<LaunchDocument> {
  const launch = await launches.store.findByMint(mint.slice(0, 64));
  if (launch) return launch;
  throw new AppError('not_found', 'There is no token of this archive at this address.');
}

/**
 * The metadata of a token. From the moment that a post is removed, its text is left out, whichever process has removed
 * it.
 */
export async function readMetadata(
  { launches, posts }: { launches: Pick<Launches, 'store'>; posts: Pick<Posts, 'store'> },
  mint: string,
): Promise<string> {
  const { _id, metadata } = await findToken({ launches }, mint);
  const post = await posts.store.find(_id.toHexString());
  return post && !isRemoved(post) ? metadata : withoutWords(metadata);
}
