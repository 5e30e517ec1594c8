import { type Bucket, bucketOver, bucketStart, monthOf } from '@archive/contracts';

/** Milliseconds. */
export const DAY_MS = 86_400_000;

/** Shorter beginnings match too many words, and the full text needs three letters. */
const LEAST_LETTERS = 3;

/** Whether words with this beginning are looked up. `start` must be folded. */
export function isBeginning(start: string): boolean {
  return Array.from(start).length >= LEAST_LETTERS && /^[\p{L}\p{N}]+$/u.test(start);
}

/** Words of folded texts with this beginning, the words in most texts first. */
export function wordsBeginning(start: string, contents: readonly string[], limit: number): string[] {
  const posts = new Map<string, number>();
  for (const content of contents) {
    const words = new Set(content.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’-]*/gu) ?? []);
    for (const word of words) if (word.startsWith(start)) posts.set(word, (posts.get(word) ?? 0) + 1);
  }
  posts.delete(start);
  return [...posts]
    .sort(([one, of], [other, than]) => than - of || (one < other ? -1 : 1))
    .slice(0, limit)
    .map(([word]) => word);
}

/** This calendar day in earlier years, latest first, back to the year of the first post; in days since 1970. */
export function sameDaysOf(now: number, first: number, last: number): number[] {
  const today = new Date(now);
  const yearOf = (time: number) => new Date(time).getUTCFullYear();
  const days: number[] = [];
  for (let year = Math.min(yearOf(last), today.getUTCFullYear() - 1); year >= yearOf(first); year--) {
    const same = new Date(0);
    same.setUTCFullYear(year, today.getUTCMonth(), today.getUTCDate());
    // Not every year has a 29th of February.
    if (same.getUTCDate() === today.getUTCDate()) days.push(same.getTime() / DAY_MS);
  }
  return days;
}

/** Posts over time: one entry per bucket that has posts, in order. `from` is the bucket's first day since 1970. */
export interface OverTime {
  bucket: Bucket;
  counts: { from: number; posts: number }[];
}

/** Gathers numbers of posts per day into buckets; into `bucket`, if it is known already. */
export function inBuckets(days: readonly (readonly [day: number, posts: number])[], bucket?: Bucket): OverTime {
  const inOrder = [...days].sort(([one], [other]) => one - other);
  const [first, last] = [inOrder[0], inOrder.at(-1)];
  if (!first || !last) return { bucket: 'day', counts: [] };
  const size = bucket ?? bucketOfDays(first[0], last[0]);
  const counts = new Map<number, number>();
  for (const [day, posts] of inOrder) {
    const from = bucketStart(size, day);
    counts.set(from, (counts.get(from) ?? 0) + posts);
  }
  return { bucket: size, counts: [...counts].map(([from, posts]) => ({ from, posts })) };
}

/** The bucket size for posts between two days. */
export function bucketOfDays(first: number, last: number): Bucket {
  return bucketOver(monthOf(last) - monthOf(first) + 1);
}
