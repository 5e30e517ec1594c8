import type { Category } from './categories.ts';
import { FILTER_TEXT_LENGTH, PAGE_SIZE } from './limits.ts';

export const SORT_FIELDS = ['timestamp', 'author', 'content', 'category'] as const;
export type SortField = (typeof SORT_FIELDS)[number];

export const SORT_ORDERS = ['desc', 'asc'] as const;
export type SortOrder = (typeof SORT_ORDERS)[number];

export const EXPORT_FORMATS = ['csv', 'json', 'ndjson'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

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

/** How text is compared when searching: both sides go through this, then substring. */
export function foldText(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** The first 200 characters (code points) of a filter's text; the rest is not looked at. */
export function cutFilterText(text: string): string {
  if (text.length <= FILTER_TEXT_LENGTH) return text;
  return Array.from(text.slice(0, FILTER_TEXT_LENGTH * 2))
    .slice(0, FILTER_TEXT_LENGTH)
    .join('');
}
