import { type Category, isCategory } from './categories.ts';
import { isLanguageTag } from './languages.ts';
import { FILTER_TEXT_LENGTH, PAGE_SIZE } from './limits.ts';
import { PLATFORMS, type Platform } from './platforms.ts';
import type { MediaType } from './provenance.ts';

/** `saved`: by when a post came into the archive. */
export const SORT_FIELDS = ['timestamp', 'author', 'content', 'category', 'saved'] as const;
export type SortField = (typeof SORT_FIELDS)[number];

export const SORT_ORDERS = ['desc', 'asc'] as const;
export type SortOrder = (typeof SORT_ORDERS)[number];

export const EXPORT_FORMATS = ['csv', 'json', 'ndjson'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** What posts show: anything at all, a picture (a GIF is one), a video, or nothing. */
export const MEDIA_FILTERS = ['any', 'image', 'video', 'none'] as const;
export type MediaFilter = (typeof MEDIA_FILTERS)[number];

/** Which posts; an absent field does not restrict. */
export interface ArchiveFilter {
  /** Substring of content, author or handle. */
  search?: string | undefined;
  /** Substring of author or handle. */
  author?: string | undefined;
  /** Substring of content. */
  content?: string | undefined;
  /** One author's handle, whole, in any case. */
  handle?: string | undefined;
  category?: Category | undefined;
  /** `YYYY-MM-DD`, a UTC day, inclusive. */
  startDate?: string | undefined;
  /** `YYYY-MM-DD`, a UTC day, inclusive through its end. */
  endDate?: string | undefined;
  media?: MediaFilter | undefined;
  platform?: Platform | undefined;
  /** A BCP 47 tag, of which the language alone counts: `pt` and `pt-PT` find `pt-BR`. */
  language?: string | undefined;
}

/** The kinds of value a filter takes, each read from the text of an address; what is wrong counts as absent. */
const READERS = {
  text: (text) => cutFilterText(text.trim()),
  handle: (text) => text,
  category: (text) => (isCategory(text) ? text : undefined),
  day: (text) => (isDay(text) ? text : undefined),
  media: (text) => MEDIA_FILTERS.find((media) => media === text),
  platform: (text) => PLATFORMS.find((platform) => platform === text),
  language: (text) => (isLanguageTag(text) ? text : undefined),
} satisfies Record<string, (text: string) => string | undefined>;

/** Every filter. Whatever else knows filters holds an entry for each of them, or does not compile. */
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
} as const satisfies Record<keyof ArchiveFilter, keyof typeof READERS>;

export type FilterName = keyof typeof FILTER_KINDS;
export type FilterValue<N extends FilterName> = NonNullable<ArchiveFilter[N]>;

export const FILTER_NAMES = Object.keys(FILTER_KINDS) as FilterName[];

/** The filters that have a value. */
export function readFilters(params: { get(name: string): string | null }): ArchiveFilter {
  const filters: Record<string, string> = {};
  for (const name of FILTER_NAMES) {
    const value = READERS[FILTER_KINDS[name]](params.get(name) ?? '');
    if (value) filters[name] = value;
  }
  return filters;
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

/** How text is compared when searching: both sides go through this, then substring. */
export function foldText(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** The first 200 characters (code points) of a filter's text; the rest is not looked at. */
export function cutFilterText(text: string): string {
  return cutCodePoints(text, FILTER_TEXT_LENGTH);
}

/** The first code points of a text. */
export function cutCodePoints(text: string, length: number): string {
  if (text.length <= length) return text;
  return Array.from(text.slice(0, length * 2))
    .slice(0, length)
    .join('');
}

/** Whether this is `YYYY-MM-DD` and names a day that exists. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}
