import { type Category, isCategory } from './categories.ts';
import { isLanguageTag } from './languages.ts';
import { FILTER_TEXT_LENGTH, PAGE_SIZE, QUERY_LENGTH } from './limits.ts';
import { PLATFORMS, type Platform } from './platforms.ts';
import type { MediaType } from './provenance.ts';

/** `saved` sorts by the time at which a post was saved; `reactions` by the number of reactions of all kinds. */
export const SORT_FIELDS = ['timestamp', 'author', 'content', 'category', 'saved', 'reactions'] as const;
export type SortField = (typeof SORT_FIELDS)[number];

export const SORT_ORDERS = ['desc', 'asc'] as const;
export type SortOrder = (typeof SORT_ORDERS)[number];

export const EXPORT_FORMATS = ['csv', 'json', 'ndjson'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const FEED_FORMATS = ['atom', 'rss', 'json'] as const;
export type FeedFormat = (typeof FEED_FORMATS)[number];

/** What a post shows: any media, a picture (a GIF counts as one), a video, or nothing. */
export const MEDIA_FILTERS = ['any', 'image', 'video', 'none'] as const;
export type MediaFilter = (typeof MEDIA_FILTERS)[number];

/** How `search` matches: as one text, all its words, all but one of its words, or any of its words. */
export const MATCHES = ['exact', 'words', 'most', 'any'] as const;
export type Match = (typeof MATCHES)[number];
/** `most` looks at this number of words; further words are ignored. */
export const MOST_WORDS = 8;

/** Selects posts; an absent field does not restrict. */
export interface ArchiveFilter {
  /** Substring of content, author or handle. */
  search?: string | undefined;
  /** Substring of author or handle. */
  author?: string | undefined;
  /** Substring of content. */
  content?: string | undefined;
  /** One author's complete handle, in any case. */
  handle?: string | undefined;
  category?: Category | undefined;
  /** `YYYY-MM-DD`, a UTC day, inclusive. */
  startDate?: string | undefined;
  /** `YYYY-MM-DD`, a UTC day, inclusive through its end. */
  endDate?: string | undefined;
  media?: MediaFilter | undefined;
  platform?: Platform | undefined;
  /** A BCP 47 tag. Only its language counts: `pt` and `pt-PT` find `pt-BR`. */
  language?: string | undefined;
  featured?: 'true' | undefined;
  /** Only posts for which a token was launched. */
  launched?: 'true' | undefined;
  /** A question in the search language (`search-query.ts`). */
  q?: string | undefined;
  /** How `search` matches; absent means as one text. */
  match?: Match | undefined;
}

/** Readers of filter values from the text of an address, by kind. An invalid value counts as absent. */
const READERS = {
  text: (text) => cutFilterText(text.trim()),
  handle: (text) => text,
  category: (text) => (isCategory(text) ? text : undefined),
  day: (text) => (isDay(text) ? text : undefined),
  media: (text) => MEDIA_FILTERS.find((media) => media === text),
  platform: (text) => PLATFORMS.find((platform) => platform === text),
  language: (text) => (isLanguageTag(text) ? text : undefined),
  flag: (text) => (text === 'true' ? text : undefined),
  query: (text) => cutCodePoints(text.trim(), QUERY_LENGTH),
  match: (text) => MATCHES.find((match) => match === text),
} satisfies Record<string, (text: string) => string | undefined>;

/** Every filter. Each other table of filters must have an entry for each of them, or it does not compile. */
export const FILTER_KINDS = {
  search: 'text',
  author: 'text',
  content: 'text',
  handle: 'handle',
  category: 'category',
  startDate: 'day',
  endDate: 'day',
  media: 'media',
  platform: 'platform',
  language: 'language',
  featured: 'flag',
  launched: 'flag',
  q: 'query',
  match: 'match',
} as const satisfies Record<keyof ArchiveFilter, keyof typeof READERS>;

export type FilterName = keyof typeof FILTER_KINDS;
export type FilterValue<N extends FilterName> = NonNullable<ArchiveFilter[N]>;

export const FILTER_NAMES = Object.keys(FILTER_KINDS) as FilterName[];

/** Reads the filters that have a value. */
export function readFilters(params: { get(name: string): string | null }): ArchiveFilter {
  const filters: Record<string, string> = {};
  for (const name of FILTER_NAMES) {
    const value = READERS[FILTER_KINDS[name]](params.get(name) ?? '');
    if (value) filters[name] = value;
  }
  return filters;
}

/** The filters as the query of an address, in a fixed order. */
export function printFilters(filter: ArchiveFilter): string {
  const params = new URLSearchParams();
  for (const name of FILTER_NAMES) {
    const value = filter[name];
    if (value) params.set(name, value);
  }
  return params.toString();
}

export interface ArchiveSort {
  sortBy: SortField;
  sortOrder: SortOrder;
}

/** Query of `GET archives`, parsed. */
export interface ArchiveQuery extends ArchiveFilter, ArchiveSort {
  page: number;
  limit: number;
  /** With `featured`, the featured post is left out of `data` on every page. */
  split?: 'featured' | undefined;
  /** `pagination.next` of an earlier page; this page begins after it. `page` is then ignored. */
  cursor?: string | undefined;
}

export const DEFAULT_QUERY = {
  page: 1,
  limit: PAGE_SIZE,
  sortBy: 'timestamp',
  sortOrder: 'desc',
} as const satisfies ArchiveQuery;

/** Whether a post that shows media of these types passes the filter. */
export function showsMedia(types: readonly MediaType[], media: MediaFilter): boolean {
  if (media === 'none') return types.length === 0;
  return types.some((type) => media === 'any' || (type === 'video') === (media === 'video'));
}

/** The first 200 characters (code points) of a filter's text; the rest is ignored. */
export function cutFilterText(text: string): string {
  return cutCodePoints(text, FILTER_TEXT_LENGTH);
}

/** The first `length` code points of a text. */
export function cutCodePoints(text: string, length: number): string {
  if (text.length <= length) return text;
  return Array.from(text.slice(0, length * 2))
    .slice(0, length)
    .join('');
}

/** The distinct words of a text, separated by white space. */
export function wordsOf(text: string): string[] {
  return [...new Set(text.split(/\s+/).filter((word) => word !== ''))];
}

/** Whether a post has a link, listed or in its text. */
export function showsLink(post: { content: string; links?: readonly unknown[] | undefined }): boolean {
  return (post.links?.length ?? 0) > 0 || /https?:\/\//i.test(post.content);
}

/** Whether this is `YYYY-MM-DD` and names a day that exists. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}
