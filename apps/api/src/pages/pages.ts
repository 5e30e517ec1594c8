import type { ObjectId } from 'mongodb';
import type { Base } from '../base.ts';
import type { Media } from '../media/media.ts';
import type { Posts } from '../posts/posts.ts';
import { DrawingThread } from './picture/drawing-thread.ts';
import { SharePictures } from './picture/share-pictures.ts';
import { Sitemap } from './sitemap.ts';

export interface Pages {
  sitemap: Sitemap;
  pictures: SharePictures;
}

/** `script` is the built script of the drawing thread. */
export function createPages(
  { background, log, now }: Pick<Base, 'background' | 'log' | 'now'>,
  {
    posts,
    media,
    script,
  }: { posts: Pick<Posts, 'changes' | 'follower' | 'index'>; media: Media; script: URL | string },
): Pages {
  const thread = new DrawingThread(script, log);
  background.add(thread);
  const pictures = new SharePictures(thread, media.served);
  const sitemap = new Sitemap(posts.index, now);
  const forget = (ids: readonly ObjectId[]) => {
    for (const id of ids) pictures.forget(id.toHexString());
  };
  posts.changes.listen(({ kind, ids }) => {
    sitemap.forget();
    if (kind === 'removed' || kind === 'sealed') forget(ids);
  });
  // Changes by other processes and by the command line.
  posts.follower.onTaken((taken) => {
    sitemap.forget();
    forget(taken.flatMap(({ _id, removedAt }) => (removedAt ? [_id] : [])));
  });
  return { pictures, sitemap };
}
