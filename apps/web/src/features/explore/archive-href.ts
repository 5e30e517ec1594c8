import { type ArchiveFilter, type ArchiveSort, CATEGORIES, QUERY_TERMS } from '@archive/contracts';

/** The address of the list with this filter. `printFilters` keeps the order of names, which does not matter here. */
export function archiveHref(filter: ArchiveFilter, sort: Partial<ArchiveSort> = {}): string {
  const params = new URLSearchParams({ ...filter, ...sort } as Record<string, string>);
  return `/?${params}`;
}

/** Posts without any category. */
export const UNCATEGORIZED_HREF = archiveHref({ q: CATEGORIES.map((category) => `-category:${category}`).join(' ') });

/** The list of posts in none of these languages; null if the query would hold too many languages. */
export function otherLanguagesHref(languages: readonly string[]): string | null {
  if (languages.length === 0 || languages.length > QUERY_TERMS) return null;
  return archiveHref({ q: languages.map((language) => `-lang:${language}`).join(' ') });
}

/** The first and the last day of a month such as `2026-05`. */
export function daysOfMonth(month: string): { startDate: string; endDate: string } {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const last = new Date(Date.UTC(year, number, 0)).getUTCDate();
  return { startDate: `${month}-01`, endDate: `${month}-${last}` };
}
