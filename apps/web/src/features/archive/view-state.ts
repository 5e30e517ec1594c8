import {
  type ArchiveFilter,
  type ArchiveSort,
  cutFilterText,
  DEFAULT_QUERY,
  ENDPOINTS,
  type ExportFormat,
  isCategory,
  SORT_FIELDS,
  SORT_ORDERS,
  type SortField,
} from '@archive/contracts';

export const LAYOUTS = ['grid', 'table'] as const;
export type Layout = (typeof LAYOUTS)[number];

/** Everything about a list that lives in the address. */
export interface ViewState extends ArchiveFilter, ArchiveSort {
  page: number;
  view: Layout;
}

const TEXT_FILTERS = ['search', 'author', 'content'] as const;
const DATE_FILTERS = ['startDate', 'endDate'] as const;
const MAX_PAGE = 1_000_000;

/** Reads the address; what is wrong in it counts as absent. */
export function parseView(search: string): ViewState {
  const params = new URLSearchParams(search);
  const view: ViewState = {
    page: parsePage(params.get('page')),
    sortBy: SORT_FIELDS.find((field) => field === params.get('sortBy')) ?? DEFAULT_QUERY.sortBy,
    sortOrder: SORT_ORDERS.find((order) => order === params.get('sortOrder')) ?? DEFAULT_QUERY.sortOrder,
    view: LAYOUTS.find((layout) => layout === params.get('view')) ?? 'grid',
  };
  for (const name of TEXT_FILTERS) {
    const text = cutFilterText((params.get(name) ?? '').trim());
    if (text !== '') view[name] = text;
  }
  for (const name of DATE_FILTERS) {
    const date = params.get(name);
    if (date !== null && isDay(date)) view[name] = date;
  }
  const category = params.get('category');
  if (isCategory(category)) view.category = category;
  return view;
}

/** The address of a view, without its question mark; what is as it would be anyway is left out. */
export function printView(view: ViewState): string {
  const params = filterParams(view);
  if (view.sortBy !== DEFAULT_QUERY.sortBy) params.set('sortBy', view.sortBy);
  if (view.sortOrder !== DEFAULT_QUERY.sortOrder) params.set('sortOrder', view.sortOrder);
  if (view.page !== DEFAULT_QUERY.page) params.set('page', String(view.page));
  if (view.view !== 'grid') params.set('view', view.view);
  return params.toString();
}

/** Changing what is listed, or in which order, leads back to the first page. */
export function changeView(view: ViewState, change: Partial<ViewState>): ViewState {
  const next = { ...view, ...change };
  const lists = (state: ViewState) => printView({ ...state, page: 1, view: 'grid' });
  return lists(next) === lists(view) ? next : { ...next, page: change.page ?? 1 };
}

/** The same column turns around; another one starts ascending. */
export function toggleSort(sort: ArchiveSort, field: SortField): ArchiveSort {
  if (sort.sortBy !== field) return { sortBy: field, sortOrder: 'asc' };
  return { sortBy: field, sortOrder: sort.sortOrder === 'asc' ? 'desc' : 'asc' };
}

/** How many fields of the filter panel restrict the list. */
export function countFilters(view: ArchiveFilter): number {
  return [view.author, view.content, view.startDate, view.endDate, view.category].filter((value) => value).length;
}

export function isNarrowed(view: ArchiveFilter): boolean {
  return countFilters(view) > 0 || Boolean(view.search);
}

export const NO_FILTERS = {
  author: undefined,
  content: undefined,
  startDate: undefined,
  endDate: undefined,
  category: undefined,
} as const satisfies ArchiveFilter;

/** The list call of a view. */
export function listAddress(view: ViewState, handle?: string): string {
  const params = new URLSearchParams({ split: 'featured' });
  for (const [name, value] of filterParams({ ...view, handle })) params.append(name, value);
  if (view.sortBy !== DEFAULT_QUERY.sortBy) params.set('sortBy', view.sortBy);
  if (view.sortOrder !== DEFAULT_QUERY.sortOrder) params.set('sortOrder', view.sortOrder);
  if (view.page !== DEFAULT_QUERY.page) params.set('page', String(view.page));
  return `${ENDPOINTS.listArchives.path}?${params}`;
}

export function exportAddress(view: ViewState, format: ExportFormat, handle?: string): string {
  const params = new URLSearchParams({ format });
  for (const [name, value] of filterParams({ ...view, handle })) params.append(name, value);
  params.set('sortBy', view.sortBy);
  params.set('sortOrder', view.sortOrder);
  return `${ENDPOINTS.exportArchives.path}?${params}`;
}

export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

function filterParams(filter: ArchiveFilter): URLSearchParams {
  const params = new URLSearchParams();
  for (const name of ['search', 'author', 'content', 'handle', 'category', 'startDate', 'endDate'] as const) {
    const value = filter[name];
    if (value !== undefined && value !== '') params.set(name, value);
  }
  return params;
}

function parsePage(text: string | null): number {
  if (text === null || !/^[1-9]\d{0,6}$/.test(text)) return DEFAULT_QUERY.page;
  return Math.min(Number(text), MAX_PAGE);
}
