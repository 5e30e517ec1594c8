import { FILTER_NAMES, NEW_POSTS_COUNTED } from '@archive/contracts';
import { archiveQuerySchema } from '@archive/contracts/schemas';
import { ObjectId } from 'mongodb';
import type { Asker } from '../archive-index/question-queue.ts';
import type { Base } from '../base.ts';
import type { Posts } from '../posts/posts.ts';
import type { SavedSearchDocument } from './saved-search-store.ts';

export type CountNeeds = Pick<Base, 'now'> & { posts: Pick<Posts, 'store' | 'index'> };

export interface NewPosts {
  count: number;
  /** When the latest of them came; null where there is none. */
  at: Date | null;
}

/** The filters of an address, as they are checked; one that is given twice is a list, which no filter takes. */
export function filtersOf(query: string): Record<string, string | string[] | undefined> {
  const given = new URLSearchParams(query);
  return Object.fromEntries(
    FILTER_NAMES.map((name) => {
      const [first, ...others] = given.getAll(name);
      return [name, first !== undefined && others.length > 0 ? [first, ...others] : first];
    }),
  );
}

/** Posts that match and came into the archive after the search was last seen, counted up to one more than is told. */
export async function countNewPosts(
  { posts, now }: CountNeeds,
  { query, seenAt }: Pick<SavedSearchDocument, 'query' | 'seenAt'>,
  asker: Asker,
): Promise<NewPosts> {
  const { page: _, limit: __, sortBy: ___, sortOrder: ____, ...filter } = archiveQuerySchema.parse(filtersOf(query));
  const sort = { sortBy: 'saved', sortOrder: 'desc' } as const;
  const latest = { filter, sort, offset: 0, limit: NEW_POSTS_COUNTED + 1, split: false, now: now() };
  const { oids } = await posts.index.list(latest, asker);
  const times = await posts.store.findSavedAt(oids.map((oid) => new ObjectId(oid)));
  const fresh = times.filter((at) => at > seenAt);
  return { count: fresh.length, at: fresh.reduce<Date | null>((last, at) => (last && last > at ? last : at), null) };
}
