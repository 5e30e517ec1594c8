import type { Base } from '../base.ts';
import type { Posts } from '../posts/posts.ts';
import { LiveFeed } from './live-feed.ts';

export interface Live {
  feed: LiveFeed;
}

export function createLive({ background, now }: Pick<Base, 'background' | 'now'>, { posts }: { posts: Posts }): Live {
  const savedSince = (at: Date) => posts.store.findSavedSince(at);
  const feed = new LiveFeed({ now, isEnding: () => background.isEnding, savedSince });
  posts.follower.onTaken((taken) => feed.taken(taken));
  background.add(feed);
  return { feed };
}
