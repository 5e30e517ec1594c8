import { setTimeout as delay } from 'node:timers/promises';
import { type ArchiveFilter, type ArchiveSort, CATEGORIES, MEDIA_FILTERS } from '@archive/contracts';
import { getMeta, openForReading } from '@archive/search/sqlite/index-file';
import { generatePosts, seeded } from '@archive/testing/generate-posts';
import { ownWork } from '../src/clients.ts';
import type { Context } from '../src/context.ts';

export const NEWEST_FIRST: ArchiveSort = { sortBy: 'timestamp', sortOrder: 'desc' };

/** Seeded questions of every kind, from words that the posts contain. */
export function questions(count: number): ArchiveFilter[] {
  const random = seeded(99);
  const sample = [...generatePosts(2_000, 1)];
  const piece = (text: string, length: number): string => {
    const points = Array.from(text);
    const from = Math.floor(random() * Math.max(1, points.length - length));
    return points.slice(from, from + length).join('');
  };
  const word = (text: string) => pick(text.split(/\s+/), random);
  const kinds: ((post: (typeof sample)[number]) => ArchiveFilter)[] = [
    (post) => ({ search: word(post.content) }),
    (post) => ({ search: Array.from(word(post.content)).slice(0, 4).join('') }),
    (post) => ({ search: post.content.split(/\s+/).slice(1, 3).join(' ') }),
    (post) => ({ search: piece(post.content, 5) }),
    (post) => ({ search: post.authorUsername.slice(0, 6) }),
    (post) => ({ search: piece(post.content, 2) }),
    (post) => ({ search: `zq${word(post.content)}` }),
    (post) => ({ search: word(post.content), category: pick(CATEGORIES, random) }),
    (post) => ({ search: word(post.content), startDate: '2026-08-01', endDate: '2026-10-31' }),
    (post) => ({ author: post.author.slice(0, 5) }),
    (post) => ({ author: post.author.slice(0, 4), content: word(post.content), category: pick(CATEGORIES, random) }),
    () => ({ category: pick(CATEGORIES, random), startDate: '2025-01-01' }),
    (post) => ({ handle: post.authorUsername }),
  ];
  return Array.from({ length: count }, (_, index) =>
    (kinds[index % kinds.length] as (typeof kinds)[number])(pick(sample, random)),
  );
}

/** Seeded questions for media, platform and language: alone, together, and with other filters. */
export function traitQuestions(count: number): ArchiveFilter[] {
  const random = seeded(98);
  const texts = [...generatePosts(500, 1)].map(({ content }) => content);
  const word = () => pick(pick(texts, random).split(/\s+/), random);
  const media = () => pick(MEDIA_FILTERS, random);
  const platform = () => pick(['x', 'bluesky'] as const, random);
  const language = () => pick(['en', 'ja', 'pt', 'fil', 'eo'], random);
  const kinds: (() => ArchiveFilter)[] = [
    () => ({ media: media() }),
    () => ({ platform: platform() }),
    () => ({ language: language() }),
    () => ({ media: media(), platform: platform(), language: language() }),
    () => ({ media: media(), category: pick(CATEGORIES, random) }),
    () => ({ platform: platform(), startDate: '2025-01-10', endDate: '2026-02-20' }),
    () => ({ language: language(), search: word() }),
    () => ({ platform: platform(), media: media(), search: word(), category: pick(CATEGORIES, random) }),
  ];
  return Array.from({ length: count }, (_, index) => (kinds[index % kinds.length] as (typeof kinds)[number])());
}

export const BENCH = { client: ownWork('bench') };

/** Asks the index for a page of 12, as the web does. */
export function askPage({ posts }: Context, filter: ArchiveFilter, sort = NEWEST_FIRST, offset = 0) {
  return posts.index.ask('list', { filter, sort, offset, limit: 12, split: true, now: Date.now() }, BENCH);
}

export async function warmUp(context: Context, filters: ArchiveFilter[]): Promise<void> {
  for (const filter of filters) {
    const { oids } = await askPage(context, filter);
    await context.posts.store.findInOrder(oids);
  }
}

export async function untilTidy(path: string): Promise<void> {
  const db = openForReading(path);
  for (let waited = 0; waited < 1_200 && Number(getMeta(db, 'loose') ?? 0) > 0; waited++) await delay(250);
  db.close();
}

export function pick<T>(list: readonly T[], random: () => number): T {
  return list[Math.floor(random() * list.length)] as T;
}
