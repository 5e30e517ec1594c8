import type { ArchiveFilter, FilterName, FilterValue, MediaFilter, Platform } from '@archive/contracts';
import { formatDay, formatLanguage } from '../../lib/format.ts';

/** Search has a box of its own; all others stand in the panel. */
export type PanelFilter = Exclude<FilterName, 'search' | 'handle'>;

/** As panel and chips say it. */
export const MEDIA_LABELS: Record<MediaFilter, string> = {
  any: 'With media',
  image: 'With pictures',
  video: 'With video',
  none: 'Without media',
};
export const PLATFORM_LABELS: Record<Platform, string> = { x: 'X', bluesky: 'Bluesky', other: 'Elsewhere' };

/** The filters of the panel in its order, each in the words of its chip. */
const CHIPS: { [N in PanelFilter]: (value: FilterValue<N>) => string } = {
  author: (text) => `Author: ${text}`,
  content: (text) => `Content: ${text}`,
  startDate: (day) => `From ${formatDay(day)}`,
  endDate: (day) => `To ${formatDay(day)}`,
  category: (category) => `Category: ${category}`,
  media: (media) => MEDIA_LABELS[media],
  platform: (platform) => `Platform: ${PLATFORM_LABELS[platform]}`,
  language: (tag) => `Language: ${formatLanguage(tag)}`,
};

export const PANEL_FILTERS = Object.keys(CHIPS) as PanelFilter[];

/** What the fields of the filter panel restrict the list to. */
export function activeFilters(view: ArchiveFilter): { name: PanelFilter; label: string }[] {
  return PANEL_FILTERS.flatMap((name) => labelled(name, view) ?? []);
}

function labelled<N extends PanelFilter>(name: N, view: ArchiveFilter) {
  const value = view[name];
  return value && { name, label: CHIPS[name](value) };
}

export function isNarrowed(view: ArchiveFilter): boolean {
  return activeFilters(view).length > 0 || Boolean(view.search);
}

export const NO_FILTERS = Object.fromEntries(PANEL_FILTERS.map((name) => [name, undefined])) as Record<
  PanelFilter,
  undefined
>;
