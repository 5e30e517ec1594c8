import type { TokenLaunch } from '@archive/contracts';
import { isRemoved } from '../posts/post-document.ts';
import type { Posts } from '../posts/posts.ts';
import { toTokenLaunch } from './launch-document.ts';
import type { Launches } from './launches.ts';

interface Needs {
  posts: Pick<Posts, 'store'>;
  launches: Pick<Launches, 'store'>;
}

/** A wallet's launches, newest first, without the text of removed posts. */
export async function listLaunches({ launches, posts }: Needs, wallet: string): Promise<TokenLaunch[]> {
  const found = await launches.store.of(wallet);
  if (found.length === 0) return [];
  const kept = await posts.store.findEach(found.map(({ _id }) => _id.toHexString()));
  return found.map((launch, at) => {
    const post = kept[at];
    return { ...toTokenLaunch(launch), ...(post && !isRemoved(post) ? { author: post.author } : { description: '' }) };
  });
}
