import { FILTER_NAMES, NEW_POSTS_COUNTED } from '@archive/contracts';
import { archiveQuerySchema } from '@archive/contracts/schemas';
import { ObjectId } from 'mongodb';
import { AppError } from '../app-error.ts';
import type { Base } from '../base.ts';
import type { Posts } from '../posts/posts.ts';
import type { Asker } from '../question-queue.ts';
import type { SavedSearchDocument } from './saved-search-store.ts';

export type CountNeeds = Pick<Base, 'now'> & { posts: Pick<Posts, 'store' | 'index'> };

export interface NewPosts {
  count: number;
  /** When the latest of them came; null if there is none. */
  at: Date | null;
}

/** The filters in a query string, for validation. A repeated one becomes a list, which no filter accepts. */
export function filtersOf(query: string): Record<string, string | string[] | undefined> {
  const given = new URLSearchParams(query);
  return Object.fromEntries(
    FILTER_NAMES.map((name) => {
      const [first, ...others] = given.getAll(name);
      return [name, first !== undefined && others.length > 0 ? [first, ...others] : first];
    }),
  );
}

/**
 * For each search, the number of matching posts saved after it was last seen, counted up to one more than is shown. The
 * searches are asked in sequence, so that a wallet with a hundred holds only one place in the queue. With `onRefused`,
 * the count of a search that the index does not answer in time is null.
 */
export async function countNewPosts(
  { posts, now }: CountNeeds,
  searches: readonly Pick<SavedSearchDocument, 'query' | 'seenAt'>[],
  asker: Asker,
  onRefused?: () => void,
): Promise<(NewPosts | null)[]> {
  const found: (string[] | null)[] = [];
  for (const { query } of searches) {
    const { page: _, limit: __, sortBy: ___, sortOrder: ____, ...filter } = archiveQuerySchema.parse(filtersOf(query));
    const sort = { sortBy: 'saved', sortOrder: 'desc' } as const;
    const latest = { filter, sort, offset: 0, limit: NEW_POSTS_COUNTED + 1, split: false, now: now() };
    const answer = await posts.index.ask('list', latest, asker).catch((error: unknown) => {
      if (!onRefused || !(error instanceof AppError)) throw error;
      onRefused();
      return null;
    });
    found.push(answer?.oids.map((oid) => new ObjectId(oid).toHexString()) ?? null);
  }
  const times = await posts.store.findSavedAt(new Set(found.flatMap((ids) => ids ?? [])));
  return searches.map(({ seenAt }, place) => {
    const fresh = found[place]?.flatMap((id) => times.get(id) ?? []).filter((at) => at > seenAt);
    if (!fresh) return null;
    return { count: fresh.length, at: fresh.reduce<Date | null>((last, at) => (last && last > at ? last : at), null) };
  });
}
