import {
  type ArchiveFilter,
  type ArchivePage,
  CATEGORIES,
  type Platform,
  type Post,
  SORT_FIELDS,
  SORT_ORDERS,
} from '@archive/contracts';
import { type Facts, queryTest, wordQuestion } from '@archive/search/testing/reference-query';
import { asksHandle, fold, holds, holdsPart } from '@archive/search/testing/reference-text';
import { seeded } from '@archive/testing/generate-posts';
import { until } from '@archive/tiers';
import { matchesFilter } from '../src/posts/matches-filter.ts';

export type Query = Record<string, string>;

/** The expected answers of listings, by filtering and sorting in memory. */
export class ReferenceArchive {
  readonly posts: readonly Post[];

  constructor(posts: readonly Post[]) {
    this.posts = posts;
  }

  matches(query: Query): Post[] {
    const passes = (post: Post) =>
      FILTERS.every(([name, filter]) => !query[name] || filter.passes(post, query[name] as string, query));
    const direction = query['sortOrder'] === 'asc' ? 1 : -1;
    const keyOf = KEYS[query['sortBy'] ?? 'timestamp'] as (post: Post) => string;
    return this.posts
      .filter(passes)
      .map((post) => ({ post, key: keyOf(post) }))
      .sort((a, b) => direction * compareCodePoints(a.key, b.key) || compareCodePoints(a.post._id, b.post._id))
      .map(({ post }) => post);
  }

  /** Every bucket with posts, by calendar arithmetic. */
  timeline(query: Query): { bucket: string; counts: { from: string; count: number }[] } {
    const days = this.matches(query).map(({ timestamp }) => timestamp.slice(0, 10));
    const months = days.map((day) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)));
    const over = days.length === 0 ? 0 : Math.max(...months) - Math.min(...months) + 1;
    const bucket = over <= 3 ? 'day' : over <= 18 ? 'week' : over <= 240 ? 'month' : 'year';
    const counts = new Map<string, number>();
    for (const day of days) counts.set(BEGINNINGS[bucket](day), (counts.get(BEGINNINGS[bucket](day)) ?? 0) + 1);
    const inOrder = [...counts].sort(([one], [other]) => compareCodePoints(one, other));
    return { bucket, counts: inOrder.map(([from, count]) => ({ from, count })) };
  }

  page(query: Query): { ids: string[]; total: number; pages: number; featured: string | null } {
    const all = this.matches(query);
    const page = Number(query['page'] ?? 1);
    const limit = Number(query['limit'] ?? 12);
    const featured = all
      .filter((post) => post.featured)
      .sort((a, b) => compareCodePoints(b.featuredAt ?? '', a.featuredAt ?? '') || compareCodePoints(a._id, b._id))[0];
    const data = query['split'] === 'featured' ? all.filter((post) => post !== featured) : all;
    return {
      ids: data.slice((page - 1) * limit, page * limit).map((post) => post._id),
      total: all.length,
      pages: Math.ceil(data.length / limit),
      featured: page === 1 ? (featured?._id ?? null) : null,
    };
  }
}

const BEGINNINGS: Record<'day' | 'week' | 'month' | 'year', (day: string) => string> = {
  day: (day) => day,
  week(day) {
    const date = new Date(day);
    // Back to Monday.
    while (date.getUTCDay() !== 1) date.setUTCDate(date.getUTCDate() - 1);
    return date.toISOString().slice(0, 10);
  },
  month: (day) => `${day.slice(0, 7)}-01`,
  year: (day) => `${day.slice(0, 4)}-01-01`,
};

export interface Comparison {
  queries: number;
  exports: number;
  /** Queries whose total was not 0. */
  nonEmpty: number;
  /** Each difference as a sentence with its query. */
  differences: string[];
}

/**
 * The body of an answer. Asks again after a 503: a server refuses lists while a loaded machine is late with its look at
 * a shared index.
 *
 * @throws Error with the status and the body of any other answer than 200.
 */
export async function answerOf(url: string): Promise<string> {
  const { status, text } = await until(async () => {
    const response = await fetch(url);
    const answer = { status: response.status, text: await response.text() };
    return answer.status !== 503 && answer;
  });
  if (status !== 200) throw new Error(`${url}: ${status} ${text.slice(0, 400)}`);
  return text;
}

/** Sends generated queries to a running product and compares every answer with the reference. */
export async function compareWithReference(
  url: string,
  reference: ReferenceArchive,
  options: { queries: number; exports: number; seed: number },
): Promise<Comparison> {
  const result: Comparison = { queries: 0, exports: 0, nonEmpty: 0, differences: [] };
  const questions = generateQueries(reference, options.seed);
  const differ = (what: string, query: Query, got: unknown, wanted: unknown) => {
    const show = (value: unknown) => JSON.stringify(value)?.slice(0, 400);
    result.differences.push(`${what} of ${JSON.stringify(query)}: ${show(got)}, not ${show(wanted)}`);
  };
  for (; result.queries < options.queries; result.queries++) {
    const query = questions.next().value;
    // Computed while the product works on its answer.
    const asked = answerOf(`${url}/amber/archives?${new URLSearchParams(query)}`);
    const wanted = reference.page(query);
    const answer = JSON.parse(await asked) as ArchivePage;
    const ids = answer.data.map((post) => post._id);
    if (wanted.total > 0) result.nonEmpty++;
    if (JSON.stringify(ids) !== JSON.stringify(wanted.ids)) differ('data', query, ids, wanted.ids);
    if (answer.pagination.total !== wanted.total) differ('total', query, answer.pagination.total, wanted.total);
    if (answer.pagination.pages !== wanted.pages) differ('pages', query, answer.pagination.pages, wanted.pages);
    if ((answer.featured?._id ?? null) !== wanted.featured) {
      differ('featured', query, answer.featured?._id, wanted.featured);
    }
    if (answer.stats.total !== reference.posts.length) {
      differ('stats', query, answer.stats.total, reference.posts.length);
    }
  }
  for (; result.exports < options.exports; result.exports++) {
    const { page: _page, limit: _limit, split: _split, ...query } = questions.next().value;
    const path = `/amber/archives/export?${new URLSearchParams({ ...query, format: 'ndjson' })}`;
    const lines = (await answerOf(url + path)).split('\n').filter((line) => line !== '');
    const got = lines.map((line) => (JSON.parse(line) as Post)._id);
    const wanted = reference.matches(query).map((post) => post._id);
    if (JSON.stringify(got) !== JSON.stringify(wanted)) differ('export', query, got, wanted);
    const plain = reference.posts.filter((post) => matchesFilter(post, query, Date.now())).map((post) => post._id);
    if (JSON.stringify(plain.sort()) !== JSON.stringify(wanted.sort())) differ('plain reading', query, plain, wanted);
  }
  return result;
}

/** The same comparison for timelines. */
export async function compareTimelines(
  url: string,
  reference: ReferenceArchive,
  options: { queries: number; seed: number },
): Promise<Pick<Comparison, 'differences'> & { buckets: Record<string, number> }> {
  const differences: string[] = [];
  const buckets: Record<string, number> = {};
  const questions = generateQueries(reference, options.seed);
  for (let asked = 0; asked < options.queries; asked++) {
    const {
      page: _page,
      limit: _limit,
      split: _split,
      sortBy: _by,
      sortOrder: _order,
      ...query
    } = questions.next().value;
    const answer = await answerOf(`${url}/amber/timeline?${new URLSearchParams(query)}`);
    const timeline = reference.timeline(query);
    const [got, wanted] = [answer, JSON.stringify(timeline)];
    if (got !== wanted) differences.push(`${JSON.stringify(query)}: ${got.slice(0, 300)}, not ${wanted.slice(0, 300)}`);
    buckets[timeline.bucket] = (buckets[timeline.bucket] ?? 0) + 1;
  }
  return { differences, buckets };
}

/** Seeded queries: random pieces of real texts, short and long, alone and combined with every filter and sort. */
function* generateQueries(reference: ReferenceArchive, seed: number): Generator<Query, never> {
  const random = seeded(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const pieceOf = (text: string): string => {
    const points = Array.from(text);
    const length = random() < 0.3 ? 1 + Math.floor(random() * 2) : 3 + Math.floor(random() * 12);
    const from = Math.floor(random() * Math.max(1, points.length - length + 1));
    const piece = points.slice(from, from + length).join('');
    return random() < 0.3 ? piece.toUpperCase() : piece;
  };
  const asking = { random, pick, pieceOf, post: () => pick(reference.posts) };
  for (;;) {
    const query: Query = {};
    for (const [name, { share, value }] of FILTERS) if (random() < share) query[name] = value(asking);
    // The API refuses a start date after the end date.
    const { startDate, endDate } = query;
    if (startDate && endDate && startDate > endDate) Object.assign(query, { startDate: endDate, endDate: startDate });
    if (random() < 0.7) query['sortBy'] = pick(SORT_FIELDS);
    if (random() < 0.7) query['sortOrder'] = pick(SORT_ORDERS);
    if (random() < 0.5) query['split'] = 'featured';
    if (random() < 0.5) query['limit'] = String(pick([1, 2, 5, 12, 100, 1000]));
    if (random() < 0.6) {
      const { pages } = reference.page(query);
      query['page'] = String(1 + Math.floor(random() * (pages + 1)));
    }
    yield query;
  }
}

const ODD_TEXTS = [
  '.*',
  '%',
  '_',
  '"',
  "'",
  '\\',
  '(',
  '[a-z]',
  '-',
  '*',
  'AND',
  'NOT x',
  '^',
  ':',
  'ß',
  'İ',
  '😂',
  'ﬁ',
  '\u0301',
  '@',
  '’',
  'ｅ',
  'ё',
];

interface Asking {
  random(): number;
  pick<T>(list: readonly T[]): T;
  /** A random piece of a text. */
  pieceOf(text: string): string;
  post(): Post;
}

interface ReferenceFilter {
  passes(post: Post, value: string, query: Query): boolean;
  /** The fraction of queries that use this filter. */
  share: number;
  value(asking: Asking): string;
}

/** A second implementation of every filter, independent of the product's. */
const REFERENCE_FILTERS: Record<keyof ArchiveFilter, ReferenceFilter> = {
  search: {
    passes(post, text, { match = 'exact' }) {
      const words = text.split(/\s+/).filter(Boolean);
      const isHeld = (word: string) => holdsWord(post, word);
      if (match === 'exact' || words.length < 2) return isHeld(match === 'exact' ? text : (words[0] ?? text));
      if (match === 'most') return words.slice(0, 8).filter((word) => !isHeld(word)).length < 2;
      return match === 'words' ? words.every(isHeld) : words.some(isHeld);
    },
    share: 0.6,
    value({ random, pick, pieceOf, post }) {
      const { content, author, authorUsername } = post();
      if (random() < 0.1) return `${pick(['@', '@', '＠'])}${pieceOf(authorUsername)}`;
      return random() < 0.1 ? pick(ODD_TEXTS) : pieceOf(pick([content, content, author, authorUsername]));
    },
  },
  author: {
    passes: (post, text) =>
      asksHandle(text)
        ? holdsPart(post.authorUsername, text)
        : [post.author, post.authorUsername].some((one) => holds(one, text)),
    share: 0.2,
    value: ({ random, pick, pieceOf, post }) =>
      `${random() < 0.1 ? '@' : ''}${pieceOf(pick([post().author, post().authorUsername]))}`,
  },
  content: {
    passes: (post, text) => holds(post.content, text),
    share: 0.2,
    value: ({ pieceOf, post }) => pieceOf(post().content),
  },
  handle: {
    passes: (post, handle) => fold(post.authorUsername) === fold(handle),
    share: 0.08,
    value: ({ post }) => post().authorUsername.toUpperCase(),
  },
  category: {
    passes: (post, category) => post.category === category,
    share: 0.3,
    value: ({ pick }) => pick(CATEGORIES),
  },
  startDate: {
    passes: (post, day) => Date.parse(post.timestamp) >= Date.parse(`${day}T00:00:00.000Z`),
    share: 0.2,
    value: ({ post }) => post().timestamp.slice(0, 10),
  },
  endDate: {
    passes: (post, day) => Date.parse(post.timestamp) <= Date.parse(`${day}T23:59:59.999Z`),
    share: 0.2,
    value: ({ post }) => post().timestamp.slice(0, 10),
  },
  media: {
    passes({ media }, asked) {
      const pictures = media.filter(({ type }) => type !== 'video').length;
      const counts: Record<string, number> = { any: media.length, image: pictures, video: media.length - pictures };
      return asked === 'none' ? media.length === 0 : (counts[asked] ?? 0) > 0;
    },
    share: 0.15,
    value: ({ pick }) => pick(['any', 'image', 'video', 'none']),
  },
  platform: {
    passes: ({ url }, platform) => platform === platformName(url),
    share: 0.15,
    value: ({ pick }) => pick(['x', 'bluesky', 'other']),
  },
  language: {
    passes: ({ language }, tag) => languageName(language ?? '-') === languageName(tag),
    share: 0.15,
    value: ({ pick, post }) =>
      pick([post().language ?? 'fr', post().language ?? 'xx', 'EN', 'pt', 'pt-PT', 'id', 'fil']),
  },
  featured: { passes: ({ featured }) => featured, share: 0.04, value: () => 'true' },
  launched: { passes: ({ launched }) => launched, share: 0.02, value: () => 'true' },
  q: {
    passes: (post, words) => testOf(words)(factsOf(post)),
    share: 0.2,
    value: ({ random, pick, post }) => wordQuestion(random, () => factsOf(pick([post(), post()]))),
  },
  // Selects how `search` matches; `search` itself applies it.
  match: { passes: () => true, share: 0.1, value: ({ pick }) => pick(['exact', 'words', 'most', 'any']) },
};

const tests = new Map<string, (post: Facts) => boolean>();

function testOf(words: string): (post: Facts) => boolean {
  const known = tests.get(words) ?? queryTest(words, Date.now());
  tests.set(words, known);
  return known;
}

function factsOf(post: Post): Facts {
  const pictures = post.media.filter(({ type }) => type !== 'video').length;
  return {
    content: post.content,
    author: post.author,
    handle: post.authorUsername,
    category: post.category,
    at: Date.parse(post.timestamp),
    savedAt: Date.parse(post.savedAt),
    platform: platformName(post.url),
    language: post.language,
    image: pictures > 0,
    video: post.media.length > pictures,
    link: post.links.length > 0 || /http:\/\/|https:\/\//i.test(post.content),
    quote: post.quoted !== null,
    thread: post.thread !== null,
    featured: post.featured,
    launched: post.launched,
    deleted: post.source.state === 'deleted',
    reactions: post.reactions.heart + post.reactions.thumbsUp + post.reactions.thumbsDown,
  };
}

function holdsWord(post: Post, text: string): boolean {
  return asksHandle(text)
    ? holdsPart(post.authorUsername, text) || holds(post.content, text)
    : [post.content, post.author, post.authorUsername].some((one) => holds(one, text));
}

const PLATFORM_OF: Record<string, Platform> = { 'x.com': 'x', 'twitter.com': 'x', 'bsky.app': 'bluesky' };

export function platformName(url: string): Platform {
  return PLATFORM_OF[new URL(url).host] ?? 'other';
}

const RENAMED: Record<string, string> = { in: 'id', iw: 'he', ji: 'yi', jw: 'jv', mo: 'ro' };

export function languageName(tag: string): string {
  const [name = ''] = tag.toLowerCase().split('-');
  return RENAMED[name] ?? name;
}

const FILTERS = Object.entries(REFERENCE_FILTERS);

const KEYS: Record<string, (post: Post) => string> = {
  timestamp: (post) => post.timestamp,
  author: (post) => post.author.toLowerCase(),
  content: (post) => Array.from(post.content.toLowerCase()).slice(0, 1_000).join(''),
  // Posts without a category come after every category.
  category: (post) => post.category ?? '\u{10ffff}',
  saved: (post) => post.savedAt,
  reactions: ({ reactions }) => String(reactions.heart + reactions.thumbsUp + reactions.thumbsDown).padStart(9, '0'),
};

/** Compares by code points; JavaScript compares by UTF-16 units. */
export function compareCodePoints(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    if (a.charCodeAt(at) === b.charCodeAt(at)) continue;
    // A differing low surrogate belongs to a pair that starts one unit earlier.
    const from = at > 0 && isHighSurrogate(a.charCodeAt(at - 1)) ? at - 1 : at;
    return (a.codePointAt(from) as number) - (b.codePointAt(from) as number);
  }
  return a.length - b.length;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
