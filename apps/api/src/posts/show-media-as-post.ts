import type { ObjectId } from 'mongodb';
import type { Media } from '../media/media.ts';
import { isRemoved } from './post-document.ts';
import type { PostStore } from './post-store.ts';

interface Needs {
  media: Pick<Media, 'seal'>;
  posts: { store: PostStore };
}

/**
 * Serves the media of a post while the post is shown, and stops while it is kept out of sight. Reads the post again
 * afterwards, since it may have been hidden or shown meanwhile.
 */
export async function showMediaAsPost({ media, posts }: Needs, id: ObjectId): Promise<void> {
  const own = id.toHexString();
  for (let done: boolean | undefined; ; ) {
    const post = await posts.store.find(own);
    const isSealed = post === null || isRemoved(post);
    if (isSealed === done) return;
    await media.seal(own, isSealed);
    done = isSealed;
  }
}
