import {
  type ArchiveSort,
  CATEGORIES,
  foldText,
  monthOf,
  type Platform,
  RECENT_DAYS,
  TREND_DAYS,
  TREND_MONTHS,
} from '@archive/contracts';
import type {
  AnalyticsAnswer,
  AuthorCount,
  AuthorFigures,
  ExploreAnswer,
  InTime,
  ListAnswer,
  ListQuestion,
  Mark,
  Neighbours,
  Questions,
  Suggestions,
  TimelineAnswer,
  TimelineQuestion,
  Typed,
} from '../archive-index.ts';
import { DAY_MS, inBuckets, isBeginning, sameDaysOf, wordsBeginning } from '../figures.ts';
import { questionOf } from '../question.ts';
import { exists, not, onePost, postsOf, type Query, range, term, terms } from './compile.ts';
import { hexOf, madeAt, WINDOW } from './mapping.ts';
import { approach, type Begin, nextValues, sortOf } from './pages.ts';
import {
  type Buckets,
  bucketsOf,
  type Found,
  type Hit,
  idOf,
  metricOf,
  oidsOf,
  type Search,
  type Searcher,
} from './search.ts';

export const AUTHOR: Query = { bool: { filter: [term('kind', 'author')] } };
const POST = postsOf([]);
/**
 * Finds the mark of a complete index, and so the index's own name. An emptied index lacks the mark, even after new
 * writes.
 */
const WHOLE: Search = { query: { bool: { filter: [term('kind', 'whole')] } }, size: 1 };
const NEWEST_FIRST = [{ at: 'desc' }, { oid: 'desc' }] as const;
/** Exceeds the number of categories, platforms or years. */
const ALL_OF_FEW = 1_000;
/** Exceeds the number of codes of two or three letters. */
const ALL_LANGUAGES = 20_000;
/** Posts of each day. The engine answers at most 65,535 days: 179 years with posts on every day. */
const PER_DAY = { histogram: { field: 'day', interval: 1, min_doc_count: 1 } };
/** Exceeds the number of months in which people write. */
const ALL_MONTHS = 10_000;
const TOP_AUTHORS = 10;
const EXPLORED_AUTHORS = 6;
const YEARS_SHOWN = 4;
const SUGGESTED = 6;
/** Number of the newest posts from which words are suggested. */
const READ_POSTS = 300;
const CHUNK = 1_000;

/** Reads the contents of posts from the source, because the cluster does not hold them. */
export type ContentsOf = (oids: readonly Uint8Array[]) => Promise<string[]>;

/** A page, and the own name of the index that answered; `index` is null if that index is incomplete. */
export async function list(searcher: Searcher, question: ListQuestion): Promise<ListAnswer & { index: string | null }> {
  const startedAt = performance.now();
  const { sort, limit, split, after } = question;
  const parts = questionOf(question.filter, question.now);
  const matches = postsOf(parts);
  const isFirst = question.offset === 0 && !after;
  const featuredSearch: Search = {
    query: postsOf(parts, [exists('featured_at')]),
    size: 1,
    sort: [{ featured_at: 'desc' }, { oid: 'asc' }],
  };
  // On the first page one search returns total and posts. It asks for one post more, because the featured one may be
  // left out.
  const first = isFirst ? { size: limit + 1, sort: sortOf(sort) } : {};
  // A separate count, because an aggregation would read every post. Only posts have a time. In a segment without deleted
  // documents, the engine counts a range alone without reading its posts.
  const recentOnes = range('at', { gt: question.now - RECENT_DAYS * DAY_MS, lte: question.now });
  const [whole, posts, authors, recent, all, featuredOne] = (await searcher.all([
    WHOLE,
    { query: POST, isCounted: true },
    { query: AUTHOR, isCounted: true },
    { query: recentOnes, isCounted: true },
    { query: matches, isCounted: true, ...first },
    ...(split || isFirst ? [featuredSearch] : []),
  ])) as [Found, Found, Found, Found, Found, Found?];
  const countedAt = performance.now();
  const [featured = null] = featuredOne ? oidsOf(featuredOne) : [];
  const leftOut = split && featured ? hexOf(featured) : null;
  const found = isFirst
    ? { hits: all.hits.filter((hit) => idOf(hit) !== leftOut).slice(0, limit) }
    : await pageOf(searcher, question, { matches, total: all.total, leftOut });
  const oids = oidsOf(found);
  return {
    index: whole.hits[0]?._index ?? null,
    oids,
    total: all.total,
    last: lastOf(question, found, oids),
    featured,
    stats: { total: posts.total, authors: authors.total, recent: recent.total },
    spent: { total: countedAt - startedAt, rest: performance.now() - countedAt },
  };
}

/** A page that is not the first one. */
async function pageOf(
  searcher: Searcher,
  question: ListQuestion,
  { matches, total, leftOut }: { matches: Query; total: number; leftOut: string | null },
): Promise<Pick<Found, 'hits'>> {
  const left = leftOut === null ? [] : [not(onePost(leftOut))];
  const begin = await beginOf(searcher, question);
  if (begin.offset >= total - left.length) return { hits: [] };
  const from = { ...begin, conditions: [matches, ...left, ...begin.conditions] };
  return pageFrom(searcher, from, question.sort, question.limit);
}

async function pageFrom(
  searcher: Searcher,
  { conditions, offset, after }: Begin,
  sort: ArchiveSort,
  limit: number,
): Promise<Found> {
  const begin = after ? { conditions, after } : await approach(searcher, conditions, sort, { offset, limit });
  const query = { bool: { filter: begin.conditions } };
  const from = begin.after ? { after: begin.after } : { from: 'offset' in begin ? begin.offset : 0 };
  return searcher.one({ query, sort: sortOf(sort), ...from, size: limit });
}

/** Where a page begins: after a post, or at an offset. */
async function beginOf(searcher: Searcher, { sort, offset, after }: ListQuestion): Promise<Begin> {
  if (!after) return { conditions: [], offset };
  const key = after.key ?? (await textKeyOf(searcher, sort, after.oid));
  // The post was removed, and its text key with it. So one post fewer was passed.
  if (key === undefined) return { conditions: [], offset: after.passed - 1 };
  return { conditions: [], offset: 0, after: [key, hexOf(after.oid)] };
}

async function textKeyOf(searcher: Searcher, sort: ArchiveSort, oid: Uint8Array) {
  const query = postsOf([], [onePost(hexOf(oid))]);
  const { hits } = await searcher.one({ query, size: 1, sort: sortOf(sort) });
  return hits[0]?.sort?.[0];
}

function lastOf(
  { limit, offset, after }: ListQuestion,
  { hits }: Pick<Found, 'hits'>,
  oids: Uint8Array[],
): Mark | null {
  const oid = oids.at(-1);
  if (!oid || oids.length < limit) return null;
  const key = hits.at(-1)?.sort?.[0];
  return { oid, key: typeof key === 'number' ? key : null, passed: (after?.passed ?? offset) + oids.length };
}

/**
 * Every match in order, in chunks. Each search scans matches again, so it fetches as many as one request may. Where the
 * key is a number, a search scans only the next values: twice the distance that the previous search covered. If these
 * hold too few matches, the next search scans all. `asked` gives the searcher of each.
 */
export async function* exportAll(
  asked: () => Promise<Searcher>,
  { filter, sort, now }: Pick<ListQuestion, 'filter' | 'sort' | 'now'>,
): AsyncGenerator<Uint8Array[]> {
  const parts = questionOf(filter, now);
  const search = { sort: sortOf(sort), size: WINDOW };
  let last: Hit | undefined;
  for (let near: Query[] = []; ; ) {
    const { hits } = await (await asked()).one({ ...search, query: postsOf(parts, near), after: last?.sort }, 60_000);
    for (let at = 0; at < hits.length; at += CHUNK) yield oidsOf({ hits: hits.slice(at, at + CHUNK) });
    if (hits.length < WINDOW && near.length === 0) return;
    last = hits.at(-1) ?? last;
    near = hits.length < WINDOW ? [] : nextValues(sort, hits[0]?.sort?.[0], last?.sort?.[0]);
  }
}

export async function timeline(searcher: Searcher, { filter, now }: TimelineQuestion): Promise<TimelineAnswer> {
  const startedAt = performance.now();
  const query = postsOf(questionOf(filter, now));
  const found = await searcher.one({ query, aggs: { days: PER_DAY } });
  const days = bucketsOf(found, 'days').map(({ key, doc_count }) => [key, doc_count] as const);
  return { ...inBuckets(days), spent: performance.now() - startedAt };
}

export async function analytics(searcher: Searcher, { now }: { now: number }): Promise<AnalyticsAnswer> {
  const today = Math.floor(now / DAY_MS);
  const days = range('day', { gte: today - TREND_DAYS + 1, lte: today });
  const [posts, lately, authors] = (await searcher.all([
    { query: POST, aggs: { categories: countsOf('category') } },
    { query: postsOf([], [days]), aggs: { days: PER_DAY } },
    activeAuthors(TOP_AUTHORS),
  ])) as [Found, Found, Found];
  return {
    topAuthors: await withNewest(searcher, authors),
    categories: categoriesOf(posts),
    days: bucketsOf(lately, 'days').map(({ key, doc_count }) => ({ day: key, posts: doc_count })),
  };
}

export async function explore(searcher: Searcher, { now }: { now: number }): Promise<ExploreAnswer> {
  const [posts, active, latest] = (await searcher.all([
    {
      query: POST,
      isCounted: true,
      aggs: {
        categories: countsOf('category'),
        months: { terms: { field: 'month', size: ALL_MONTHS }, aggs: { categories: countsOf('category') } },
        kept: { min: { field: 'saved_at' } },
        first: { min: { field: 'at' } },
        last: { max: { field: 'at' } },
        languages: { terms: { field: 'language', size: ALL_LANGUAGES } },
        unknown: { missing: { field: 'language' } },
      },
    },
    activeAuthors(EXPLORED_AUTHORS),
    { query: AUTHOR, size: EXPLORED_AUTHORS, sort: [{ since: 'desc' }, { by: 'desc' }], source: AUTHOR_FIELDS },
  ])) as [Found, Found, Found];
  const [first, last] = [metricOf(posts, 'first'), metricOf(posts, 'last')];
  const days = first === null || last === null ? [] : sameDaysOf(now, first, last);
  const sameDays = await searcher.one({
    query: postsOf([], [terms('day', days)]),
    aggs: { days: { terms: { field: 'day', size: Math.max(1, days.length), order: { _key: 'desc' } } } },
  });
  const found = bucketsOf(sameDays, 'days').map(({ key, doc_count }) => ({ day: key, posts: doc_count }));
  const [shown, activeOnes, newOnes] = await Promise.all([
    searcher.all(
      found.slice(0, YEARS_SHOWN).map(({ day }) => ({
        query: postsOf([], [term('day', day)]),
        size: 1,
        sort: [{ reactions: 'desc' }, { oid: 'asc' }],
      })),
    ),
    withNewest(searcher, active),
    withNewest(searcher, latest),
  ]);
  return {
    total: posts.total,
    keptSince: metricOf(posts, 'kept'),
    writtenSince: first === null ? null : monthOf(Math.floor(first / DAY_MS)),
    months: latestMonths(posts, monthOf(Math.floor(now / DAY_MS))),
    categories: categoriesOf(posts),
    activeAuthors: activeOnes,
    newAuthors: newOnes,
    languages: languagesOf(posts),
    sameDays: found.map((one, at) => ({ ...one, shown: shown[at] ? (oidsOf(shown[at])[0] ?? null) : null })),
  };
}

/** The counts of the latest months, up to the current one, that have posts with a category. */
function latestMonths(found: Found, thisMonth: number): ExploreAnswer['months'] {
  const all = bucketsOf(found, 'months')
    .flatMap(({ key: month, categories }) =>
      (categories as Buckets).buckets.map(({ key, doc_count }) => ({ category: key, month, posts: doc_count })),
    )
    .sort((one, other) => one.month - other.month || one.category - other.category);
  const known = all.filter(({ category, month }) => category < CATEGORIES.length && month <= thisMonth);
  const shown = [...new Set(known.map(({ month }) => month))].slice(-TREND_MONTHS);
  return all.filter(({ month }) => shown.includes(month));
}

function languagesOf(found: Found): ExploreAnswer['languages'] {
  const known = bucketsOf<string>(found, 'languages').map(({ key, doc_count }) => ({
    language: key,
    posts: doc_count,
  }));
  const unknown = found.aggregations['unknown']?.doc_count ?? 0;
  return [...known, ...(unknown > 0 ? [{ language: null, posts: unknown }] : [])].sort(
    (one, other) => other.posts - one.posts || (String(one.language) < String(other.language) ? -1 : 1),
  );
}

/** The post at a relative position in the order of time. */
export async function at(searcher: Searcher, { place }: { place: number }): Promise<Uint8Array | null> {
  const { total } = await searcher.one({ query: POST, isCounted: true });
  if (total === 0) return null;
  const sort = { sortBy: 'timestamp', sortOrder: 'asc' } as const;
  const offset = Math.floor(place * total);
  return oidsOf(await pageFrom(searcher, { conditions: [POST], offset }, sort, 1))[0] ?? null;
}

export async function author(searcher: Searcher, { handle }: { handle: string }): Promise<AuthorFigures | null> {
  const found = await searcher.one({
    query: postsOf([{ by: 'author', handle: foldText(handle) }]),
    isCounted: true,
    size: 1,
    sort: [...NEWEST_FIRST],
    aggs: {
      reactions: { sum: { field: 'reactions' } },
      first: { min: { field: 'at' } },
      last: { max: { field: 'at' } },
      categories: countsOf('category'),
      platforms: countsOf('platform'),
    },
  });
  const [newest] = oidsOf(found);
  if (!newest) return null;
  return {
    posts: found.total,
    reactions: metricOf(found, 'reactions') ?? 0,
    first: metricOf(found, 'first') ?? 0,
    last: metricOf(found, 'last') ?? 0,
    newest,
    categories: categoriesOf(found),
    platforms: bucketsOf<Platform>(found, 'platforms').map(({ key, doc_count }) => ({
      platform: key,
      posts: doc_count,
    })),
  };
}

export async function suggest(searcher: Searcher, { from, word }: Typed, contentsOf: ContentsOf): Promise<Suggestions> {
  return {
    authors: from ? await suggestAuthors(searcher, foldText(from)) : [],
    words: word ? await suggestWords(searcher, foldText(word), contentsOf) : [],
  };
}

async function suggestAuthors(searcher: Searcher, start: string): Promise<AuthorCount[]> {
  const query = { bool: { filter: [AUTHOR, { prefix: { by: start } }] } };
  return withNewest(searcher, await searcher.one({ ...activeAuthors(SUGGESTED), query }));
}

/** Words in the newest posts that begin with `start`; words in the most posts first. */
async function suggestWords(searcher: Searcher, start: string, contentsOf: ContentsOf): Promise<string[]> {
  if (!isBeginning(start)) return [];
  const query = postsOf([{ by: 'text', text: start, in: 'content' }]);
  const oids = oidsOf(await searcher.one({ query, size: READ_POSTS, sort: [...NEWEST_FIRST] }));
  return wordsBeginning(start, (await contentsOf(oids)).map(foldText), SUGGESTED);
}

export async function neighbours(searcher: Searcher, { at: time, oid }: InTime): Promise<Neighbours> {
  const next = (order: 'asc' | 'desc'): Search => ({
    query: POST,
    size: 1,
    sort: [{ at: order }, { oid: order }],
    after: [time, hexOf(oid)],
  });
  const [before, after] = (await searcher.all([next('desc'), next('asc')])) as [Found, Found];
  return { before: oidsOf(before)[0] ?? null, after: oidsOf(after)[0] ?? null };
}

/** Ids of posts in their order, after one. */
export async function walk(searcher: Searcher, { after, limit }: Questions['walk']['asked']): Promise<Uint8Array[]> {
  return oidsOf(await searcher.one({ ...walkSearch(after), size: limit }));
}

/** Ordered by the second in which the id was made, then by id: a number is compared faster than an id. */
export function walkSearch(oid: Uint8Array | null): Search {
  return { query: POST, sort: [{ made: 'asc' }, { oid: 'asc' }], after: oid ? [madeAt(oid), hexOf(oid)] : undefined };
}

/** The document of an author: handle, number of posts, and since when they are kept, in milliseconds since 1970. */
export interface AuthorDocument {
  by: string;
  posts: number;
  since: number;
}

export const AUTHOR_FIELDS = ['by', 'posts', 'since'];

function activeAuthors(size: number): Search {
  return { query: AUTHOR, size, sort: [{ posts: 'desc' }, { by: 'asc' }], source: AUTHOR_FIELDS };
}

/** The authors that were found, each with the newest post. */
async function withNewest(searcher: Searcher, { hits }: Found): Promise<(AuthorCount & { since: number })[]> {
  const authors = hits.map(({ _source }) => _source as unknown as AuthorDocument);
  const found = await searcher.all(
    authors.map(({ by }) => ({ query: postsOf([{ by: 'author', handle: by }]), size: 1, sort: [...NEWEST_FIRST] })),
  );
  return authors.flatMap(({ by, ...counts }, index) => {
    const [newest] = oidsOf(found[index] as Found);
    // The author's last post was removed a moment ago.
    return newest ? [{ handle: by, ...counts, newest }] : [];
  });
}

/** Number of posts per value, values with the most posts first. */
function countsOf(field: string) {
  return { terms: { field, size: ALL_OF_FEW, order: [{ _count: 'desc' }, { _key: 'asc' }] } };
}

function categoriesOf(found: Found): { category: number; posts: number }[] {
  return bucketsOf(found, 'categories').map(({ key, doc_count }) => ({ category: key, posts: doc_count }));
}
