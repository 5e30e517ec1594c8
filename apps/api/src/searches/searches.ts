import type { Base } from '../base.ts';
import type { Posts } from '../posts/posts.ts';
import type { Asker } from '../question-queue.ts';
import { countNewPosts, type NewPosts } from './count-new-posts.ts';
import { type SavedSearchDocument, SavedSearchStore } from './saved-search-store.ts';

export interface Searches {
  store: SavedSearchStore;
  countNew(
    searches: readonly Pick<SavedSearchDocument, 'query' | 'seenAt'>[],
    asker: Asker,
    onRefused?: () => void,
  ): Promise<(NewPosts | null)[]>;
}

export function createSearches({ database, now }: Pick<Base, 'database' | 'now'>, posts: Posts): Searches {
  return {
    store: new SavedSearchStore(database.db),
    countNew: (...asked) => countNewPosts({ posts, now }, ...asked),
  };
}
