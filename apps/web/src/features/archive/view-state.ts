import {
  type ArchiveFilter,
  type ArchiveSort,
  DEFAULT_QUERY,
  ENDPOINTS,
  type ExportFormat,
  FILTER_NAMES,
  type FilterName,
  filterOfWords,
  printFilters,
  readFilters,
  SORT_FIELDS,
  SORT_ORDERS,
  type SortField,
  tidyWords,
  wordsOfFilter,
} from '@archive/contracts';
import type { ViewLinks } from '../../lib/use-page-title.ts';

export const LAYOUTS = ['grid', 'table'] as const;
export type Layout = (typeof LAYOUTS)[number];

/** The state of a list that the address holds. */
export interface ViewState extends ArchiveFilter, ArchiveSort {
  page: number;
  view: Layout;
}

const MAX_PAGE = 1_000_000;

/** Reads a view from a query string. Invalid values are ignored. */
export function parseView(search: string): ViewState {
  const params = new URLSearchParams(search);
  return {
    page: parsePage(params.get('page')),
    sortBy: SORT_FIELDS.find((field) => field === params.get('sortBy')) ?? DEFAULT_QUERY.sortBy,
    sortOrder: SORT_ORDERS.find((order) => order === params.get('sortOrder')) ?? DEFAULT_QUERY.sortOrder,
    view: LAYOUTS.find((layout) => layout === params.get('view')) ?? 'grid',
    ...readWords(readFilters(params)),
  };
}

/**
 * Writes filters as operators of the search box where an operator exists. The author of the page comes from the path.
 */
function readWords(filter: ArchiveFilter): ArchiveFilter {
  const { author, content, search, q, match } = filter;
  const isInWords = FILTER_NAMES.some((name) => filter[name] && !OWN_FILTERS.includes(name));
  const words = isInWords || (search && q) ? { q: wordsOfFilter(filter) } : { search, q: q && tidyWords(q) };
  const view = { author, content, ...words, match: words.search ? match : undefined };
  return Object.fromEntries(Object.entries(view).filter(([, value]) => value));
}

/** Filters that an address holds under their own names. */
const OWN_FILTERS: readonly FilterName[] = ['search', 'q', 'match', 'author', 'content'];

/** The text of the search box. */
export function wordsIn({ search, q }: Pick<ArchiveFilter, 'search' | 'q'>): string {
  return q ?? search ?? '';
}

/** The change that sets the words of the search box. */
export function setWords(words: string): Partial<ViewState> {
  return { match: undefined, ...filterOfWords(words) };
}

/** The query string of a view, without the question mark and without default values. */
export function printView(view: ViewState): string {
  const params = listParams(view);
  if (view.view !== 'grid') params.set('view', view.view);
  return params.toString();
}

/** Applies a change. A change of filter or order returns to page 1. */
export function changeView(view: ViewState, change: Partial<ViewState>): ViewState {
  const next = { ...view, ...change };
  const lists = (state: ViewState) => printView({ ...state, page: 1, view: 'grid' });
  return lists(next) === lists(view) ? next : { ...next, page: change.page ?? 1 };
}

/** A second press on a column reverses the order; another column starts ascending. */
export function toggleSort(sort: ArchiveSort, field: SortField): ArchiveSort {
  if (sort.sortBy !== field) return { sortBy: field, sortOrder: 'asc' };
  return { sortBy: field, sortOrder: sort.sortOrder === 'asc' ? 'desc' : 'asc' };
}

/** The address of the list call. */
export function listAddress(view: ViewState, handle?: string): string {
  const filter = { ...view, handle };
  // An unfiltered list shows the featured post separately; a filtered one leaves it in its place in the order.
  const isWhole = FILTER_NAMES.every((name) => !filter[name]);
  return `${ENDPOINTS.listArchives.path}?${listParams(filter, isWhole ? { split: 'featured' } : {})}`;
}

/** The canonical address and the feeds of a view, for the page's head. */
export function viewLinks(view: ViewState, path: string, handle?: string): ViewLinks {
  return { page: path + asQuery({ ...view, handle: undefined }), feeds: asQuery({ ...view, handle }) };
}

function asQuery(filter: ArchiveFilter): string {
  const text = printFilters(filter);
  return text && `?${text}`;
}

export function exportAddress(view: ViewState, format: ExportFormat, handle?: string): string {
  const params = filterParams({ ...view, handle }, { format });
  params.set('sortBy', view.sortBy);
  params.set('sortOrder', view.sortOrder);
  return `${ENDPOINTS.exportArchives.path}?${params}`;
}

function listParams(view: ViewState, first?: Record<string, string>): URLSearchParams {
  const params = filterParams(view, first);
  for (const name of ['sortBy', 'sortOrder', 'page'] as const) {
    if (view[name] !== DEFAULT_QUERY[name]) params.set(name, String(view[name]));
  }
  return params;
}

function filterParams(filter: ArchiveFilter, first?: Record<string, string>): URLSearchParams {
  const params = new URLSearchParams(first);
  for (const name of FILTER_NAMES) {
    const value = filter[name];
    if (value) params.set(name, value);
  }
  return params;
}

function parsePage(text: string | null): number {
  if (text === null || !/^[1-9]\d{0,6}$/.test(text)) return DEFAULT_QUERY.page;
  return Math.min(Number(text), MAX_PAGE);
}
